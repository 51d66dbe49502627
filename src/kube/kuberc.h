// SPDX-License-Identifier: MIT
// What kubectl's own preferences (kuberc, KEP-3104) say about credential programs: which may run. kubectl
// heeds them from 1.35 on, and so do we; all else in the file is about kubectl.
#pragma once

#include "base/strv.h"
#include "base/xdg.h"
#include "kube/exec_plugin.h"

struct kube_kuberc {
	struct kube_exec_policy policy; // points into the following
	struct strv allowed;
	char *path;    // of the file; NULL: there is none
	char *folders; // $PATH
};

#define _cleanup_kube_kuberc_ _cleanup_(kube_kuberc_release)

// Reads $KUBERC, or $HOME/.kube/kuberc, which need not be there; $KUBERC=off and KUBECTL_KUBERC=false
// turn it off. Fails on a file that cannot be read or understood, since a rule may stand in it. KUBERC
// is to be released in any case.
bool kube_kuberc_read(struct kube_kuberc *kuberc, xdg_getenv_fn *getenv_fn,
                      struct err *err) _nodiscard_;

void kube_kuberc_release(struct kube_kuberc *kuberc);
