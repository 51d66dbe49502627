# bash completion for vpsml, written by "vpsml completion bash": do not edit.

# The rows of the command at path. verbs: name, alias, summary of each;
# options: names, how often, value and help of each.
_vpsml_rows() {
	verbs=() options=() arg=text arg_max=0 takes_command=''
	case $path in
	'vpsml')
		verbs=(
			init '' 'make a cluster of a first host'
			join '' 'add hosts to the cluster'
			up '' 'bring hosts and cluster to what cluster.yaml says'
			kubeconfig '' 'fetch the administrator'\''s access to the cluster'
			remove '' 'take hosts out of the cluster and of cluster.yaml'
			down '' 'end the cluster: take all hosts out of it'
			plan '' 'show what up would do to the hosts'
			status '' 'show how far each host is'
			setup '' 'make an existing cluster ready for vpsml'\''s jobs'
			cordon '' 'close nodes for new pods'
			drain '' 'empty nodes, as far as disruption budgets allow'
			uncordon '' 'open nodes for new pods again'
			ssh '' 'run a command on hosts at once'
			submit '' 'post a job, a pod, a deployment, or what is in files'
			run '' 'post a job, follow its log, and exit as it did'
			list 'ps' 'show jobs, their state, and the reason for it'
			get 'describe' 'show a job in full: why it waits, its pods, its events'
			logs '' 'show what a job has written'
			wait '' 'wait until jobs have ended, and exit as they did'
			cancel 'delete' 'end jobs and free what they hold'
			suspend '' 'hold jobs back and free what they hold'
			resume '' 'let suspended jobs start'
			scale '' 'change how many pods of a job or a deployment run'
			autoscale '' 'let a Deployment grow and shrink with its load'
			render '' 'show the YAML of a job, a pod or what belongs to them'
			top '' 'show the load of nodes and GPUs, and who holds them'
			nodes '' 'show nodes with what is used, asked for and there'
			completion '' 'print the script that completes vpsml'\''s command line'
			help '' 'show the help of a command'
			version '' 'show the version'
		)
		options=(
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml init')
		options=(
			'--name:once:text:of the cluster (default: vpsml)'
			'--node-name:once:text:of the host (default: the first part of HOST, or vps1)'
			'--kubernetes-version:once:text:exactly (default: v1.34.4)'
			'--control-plane-endpoint:once:text:where the API server is reached; needed for more control planes'
			'--apiserver-advertise-address:once:text:the host'\''s own, for the other nodes (default: the one that SSH came in at)'
			'--network:once:file:flannel, calico, none, or a manifest'\''s path (default: flannel)'
			'--pod-network-cidr:once:text:the pods'\'' network (default: 10.244.0.0/16; calico: 10.233.64.0/18)'
			'--service-cidr:once:text:the services'\'' network (default: 10.96.0.0/12)'
			'--file-only:once:flag:write the file, and leave the host alone'
			'--output -o:once:words:text, or json: an object a line for each event (default: text)'
			'--kubeconfig:once:file:the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)'
			'--no-kubeconfig:once:flag:leave the kubeconfig alone'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		;;
	'vpsml join')
		options=(
			'--control-plane:once:flag:as control planes; the cluster needs an endpoint'
			'--node-name:once:text:of a single host (default: the first part of HOST, or the next of vps1, vps2, ...)'
			'--file-only:once:flag:change the file, and leave the hosts alone'
			'--output -o:once:words:text, or json: an object a line for each event (default: text)'
			'--kubeconfig:once:file:the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)'
			'--no-kubeconfig:once:flag:leave the kubeconfig alone'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1000
		;;
	'vpsml up')
		options=(
			'--output -o:once:words:text, or json: an object a line for each event (default: text)'
			'--kubeconfig:once:file:the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)'
			'--no-kubeconfig:once:flag:leave the kubeconfig alone'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml kubeconfig')
		options=(
			'--print:once:flag:write it to standard output, and change no file'
			'--out:once:file:merge it into this file (default: $KUBECONFIG, else ~/.kube/config)'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml remove')
		options=(
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--yes:once:flag:do not ask; needs --cluster'
			'--cluster:once:text:with --yes: the cluster'\''s name, which must be the file'\''s'
			'--output -o:once:words:text, or json: an object a line for each event (default: text)'
			'--force:once:flag:take it out too where it is not reached or its pods do not go'
			'--timeout:once:text:wait at most so long for its pods to go (default: 5m)'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1000
		;;
	'vpsml down')
		options=(
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--yes:once:flag:do not ask; needs --cluster'
			'--cluster:once:text:with --yes: the cluster'\''s name, which must be the file'\''s'
			'--output -o:once:words:text, or json: an object a line for each event (default: text)'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml plan')
		options=(
			'--exit-code:once:flag:end with 10 when there is something to do'
			'--output -o:once:words:text, json or yaml (default: text)'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml status')
		options=(
			'--output -o:once:words:table, wide, json, yaml or csv (default: table)'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml setup')
		options=(
			'--gpu-node:many:text:a node with GPUs that Kubernetes does not see yet (default: nodes that offer GPUs)'
			'--gpu-resource:once:text:the GPUs'\'' resource, which is the taint'\''s key too (default: what the node offers, else nvidia.com/gpu)'
			'--gpu-taint:once:words:keep other pods off GPU nodes: PreferNoSchedule where they find a place elsewhere, NoSchedule always, none never (default: PreferNoSchedule)'
			'--no-runtime-class:once:flag:leave out the runtime class nvidia: GPU nodes that need none'
			'--dry-run:once:words:none, or server: say what would change, and change nothing (default: none)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml cordon')
		options=(
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml drain')
		options=(
			'--timeout:once:text:wait at most so long for the pods to go (default: 5m)'
			'--force:once:flag:evict pods too that nothing makes again elsewhere'
			'--yes:once:flag:do not ask before pods that hold GPUs are evicted'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml uncordon')
		options=(
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml ssh')
		options=(
			'--all:once:flag:on every host of the cluster'\''s file, by their names there'
			'--sudo:once:flag:run the command as root, by sudo where the user is another'
			'--timeout:once:text:wait at most so long for the command to end (default: no limit)'
			'--file -f:once:file:the file that describes the cluster (default: cluster.yaml)'
			'--limit:many:text:only this host of the file'
			'--user:once:text:log in as this user (default: ssh_config'\''s)'
			'--port:once:text:port of sshd (default: ssh_config'\''s)'
			'--identity -i:many:file:private key to log in with (default: ssh_config'\''s)'
			'--jump -J:once:text:go through this host; none (default: ssh_config'\''s ProxyJump)'
			'--host-key:once:words:which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
			'--ssh-config -F:once:file:another ssh_config; none (default: the user'\''s and the system'\''s)'
			'--ssh:once:words:how to speak SSH: libssh2, openssh (default: libssh2)'
			'--parallel:once:text:connect to so many hosts at a time (default: 32)'
			'--connect-timeout:once:text:wait at most so long for a connection (default: 10s)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1000
		takes_command=1
		;;
	'vpsml submit')
		options=(
			'--filename -f:many:file:post what is in FILE, YAML or JSON, instead of what flags say; -: standard input'
			'--kind:once:words:job, pod or deployment (default: job)'
			'--name-prefix:once:flag:NAME, or a name in FILE, is a prefix: five random characters are added'
			'--replace:once:flag:delete what has the name now, with its pods, and take its place'
			'--dry-run:once:words:none, client (only show it) or server (let the server check it) (default: none)'
			'--wait:once:flag:wait until the job has ended, and exit as it did'
			'--image:once:text:container image (required)'
			'--container:once:text:the container'\''s name (default: the object'\''s)'
			'--shell:once:flag:COMMAND is one string that /bin/sh reads'
			'--keep-entrypoint:once:flag:COMMAND is arguments to the image'\''s entrypoint, not a replacement for it'
			'--working-dir:once:text:folder in the container in which COMMAND starts'
			'--image-pull-policy:once:words:Always, IfNotPresent or Never'
			'--image-pull-secret:many:text:Secret with the registry'\''s password'
			'--service-account:once:text:ServiceAccount that the pod runs as'
			'--grace:once:text:time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
			'--gpus:once:text:GPUs to hold; the pod then runs on GPU nodes alone'
			'--gpu-type:many:text:hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
			'--gpu-resource:once:text:what a GPU is called (default: nvidia.com/gpu)'
			'--cpu:once:text:CPUs to request: 2, 0.5 or 500m'
			'--memory:once:text:memory to request, as 4Gi; the limit too, unless --memory-limit is given'
			'--cpu-limit:once:text:CPUs it may use at most (default: what is idle)'
			'--memory-limit:once:text:memory above which it is killed'
			'--shm:once:text:size of /dev/shm, counted as memory; 0: the runtime'\''s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
			'--env -e:many:text:variable; without a value, the one it has here'
			'--env-file:many:file:variables from lines NAME=VALUE; --env wins over them'
			'--secret:many:text:variable with the value of a Secret'\''s key'
			'--data:many:text:mount a PersistentVolumeClaim'
			'--data-dir:many:text:mount a folder of the node'
			'--nfs:many:text:mount an NFS export'
			'--priority:once:ask:PriorityClass: who goes first when not all fit'
			'--queue:once:text:Kueue'\''s LocalQueue to wait in'
			'--cpu-only:once:flag:never run on a GPU node (default: rather not)'
			'--selector:many:text:run on nodes with this label alone'
			'--affinity:many:text:run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
			'--toleration:many:text:ignore this taint; all: every taint'
			'--runtime-class:once:text:RuntimeClass of the pod'
			'--retry:once:text:start again at most N times after a failure (default: 0); being preempted is none'
			'--retry-on-exit:many:text:start again only after these exit codes'
			'--ttl-after-finished:once:text:delete the job this long after its end (default: never)'
			'--suspend:once:flag:create it held; nothing runs until it is resumed'
			'--workers:once:text:N pods that train together, with names in DNS and torchrun'\''s variables'
			'--nproc-per-node:once:text:processes in each worker (default: one a GPU)'
			'--array:once:text:one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time'
			'--time:once:text:end it after this time: 90m, 2h30m or D-HH:MM:SS'
			'--replicas:once:text:pods to run (default: 1)'
			'--autoscale:once:text:let an autoscaler choose between so many pods'
			'--cpu-target:once:text:CPU use to keep to: 50% of the request, or 500m a pod'
			'--memory-target:once:text:memory use to keep to: 80% of the request, or 200Mi a pod'
			'--label:many:text:label of the object and its pods'
			'--annotation:many:text:annotation of the object and its pods'
			'--output -o:once:words:yaml, json or name: show the object so (default: say what was made)'
			'--timeout:once:text:stop waiting after this time, with status 124; the job goes on'
			'--start-timeout:once:text:give up when an image or a setting has been bad for so long, with status 125; 0: never (default: 10m)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		takes_command=1
		;;
	'vpsml run')
		options=(
			'--name-prefix:once:flag:NAME is a prefix: five random characters are added'
			'--replace:once:flag:delete the job that has the name now, with its pods, and take its place'
			'--timestamps:once:flag:when each line of the log was written'
			'--image:once:text:container image (required)'
			'--container:once:text:the container'\''s name (default: the object'\''s)'
			'--shell:once:flag:COMMAND is one string that /bin/sh reads'
			'--keep-entrypoint:once:flag:COMMAND is arguments to the image'\''s entrypoint, not a replacement for it'
			'--working-dir:once:text:folder in the container in which COMMAND starts'
			'--image-pull-policy:once:words:Always, IfNotPresent or Never'
			'--image-pull-secret:many:text:Secret with the registry'\''s password'
			'--service-account:once:text:ServiceAccount that the pod runs as'
			'--grace:once:text:time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
			'--gpus:once:text:GPUs to hold; the pod then runs on GPU nodes alone'
			'--gpu-type:many:text:hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
			'--gpu-resource:once:text:what a GPU is called (default: nvidia.com/gpu)'
			'--cpu:once:text:CPUs to request: 2, 0.5 or 500m'
			'--memory:once:text:memory to request, as 4Gi; the limit too, unless --memory-limit is given'
			'--cpu-limit:once:text:CPUs it may use at most (default: what is idle)'
			'--memory-limit:once:text:memory above which it is killed'
			'--shm:once:text:size of /dev/shm, counted as memory; 0: the runtime'\''s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
			'--env -e:many:text:variable; without a value, the one it has here'
			'--env-file:many:file:variables from lines NAME=VALUE; --env wins over them'
			'--secret:many:text:variable with the value of a Secret'\''s key'
			'--data:many:text:mount a PersistentVolumeClaim'
			'--data-dir:many:text:mount a folder of the node'
			'--nfs:many:text:mount an NFS export'
			'--priority:once:ask:PriorityClass: who goes first when not all fit'
			'--queue:once:text:Kueue'\''s LocalQueue to wait in'
			'--cpu-only:once:flag:never run on a GPU node (default: rather not)'
			'--selector:many:text:run on nodes with this label alone'
			'--affinity:many:text:run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
			'--toleration:many:text:ignore this taint; all: every taint'
			'--runtime-class:once:text:RuntimeClass of the pod'
			'--retry:once:text:start again at most N times after a failure (default: 0); being preempted is none'
			'--retry-on-exit:many:text:start again only after these exit codes'
			'--ttl-after-finished:once:text:delete the job this long after its end (default: never)'
			'--suspend:once:flag:create it held; nothing runs until it is resumed'
			'--workers:once:text:N pods that train together, with names in DNS and torchrun'\''s variables'
			'--nproc-per-node:once:text:processes in each worker (default: one a GPU)'
			'--array:once:text:one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time'
			'--time:once:text:end it after this time: 90m, 2h30m or D-HH:MM:SS'
			'--label:many:text:label of the object and its pods'
			'--annotation:many:text:annotation of the object and its pods'
			'--timeout:once:text:stop waiting after this time, with status 124; the job goes on'
			'--start-timeout:once:text:give up when an image or a setting has been bad for so long, with status 125; 0: never (default: 10m)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		takes_command=1
		;;
	'vpsml list')
		options=(
			'--all-namespaces -A:once:flag:jobs of every namespace'
			'--selector -l:once:text:jobs with these labels alone, as kubectl takes them'
			'--state:many:words:jobs in these states alone: pending, starting, running, suspended, succeeded, failed, terminating; with --watch also deleted'
			'--user -u:once:text:jobs that this user submitted'
			'--sort:once:words:age, name, state, gpus, wait, run or node (default: age, newest first)'
			'--output -o:once:words:table, wide, json, yaml, name or csv (default: table)'
			'--watch -w:once:flag:go on: a line for each job whose state, reason, node or pods change'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml get')
		options=(
			'--output -o:once:words:text, wide (labels and every event too), json, yaml or name (default: text)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml logs')
		options=(
			'--follow -f:once:flag:go on until the job ends'
			'--container -c:once:text:of this container alone'
			'--index:once:text:of this worker or array task alone'
			'--tail:once:text:the last N lines of each container'
			'--since:once:text:lines of this last time alone'
			'--previous -p:once:flag:of the run before kubelet restarted the container'
			'--timestamps:once:flag:when each line was written'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1
		;;
	'vpsml wait')
		options=(
			'--timeout:once:text:stop waiting after this time, with status 124; the job goes on'
			'--start-timeout:once:text:give up when an image or a setting has been bad for so long, with status 125; 0: never (default: 10m)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml cancel')
		options=(
			'--selector -l:once:text:jobs with these labels'
			'--state:many:words:of these, jobs in one of these states alone'
			'--all:once:flag:every job of the namespace'
			'--no-wait:once:flag:do not wait until the pods are gone'
			'--timeout:once:text:wait at most so long for the pods to go (default: 5m)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml suspend')
		options=(
			'--wait:once:flag:return when the pods have ended and their GPUs are free'
			'--timeout:once:text:with --wait: wait at most so long (default: 5m)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml resume')
		options=(
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=1000
		;;
	'vpsml scale')
		options=(
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=ask arg_max=2
		;;
	'vpsml autoscale')
		options=(
			'--name:once:text:the autoscaler'\''s name (default: its target'\''s)'
			'--min:once:text:replicas at least (default: 1)'
			'--max:once:text:replicas at most (required)'
			'--cpu-target:once:text:CPU use to keep to: 50% of the request, or 500m a pod'
			'--memory-target:once:text:memory use to keep to: 80% of the request, or 200Mi a pod'
			'--replace:once:flag:take the place of the autoscaler that has the name now'
			'--dry-run:once:words:none, client (only show it) or server (let the server check it) (default: none)'
			'--output -o:once:words:yaml, json or name: show the object so (default: say what was made)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=2
		;;
	'vpsml render')
		verbs=(
			job '' 'a Job: runs to its end, alone, as workers or as an array'
			pod '' 'a Pod alone, which nothing starts again'
			deployment 'deploy' 'a Deployment, with its autoscaler if wanted'
			affinity '' 'the node affinity that rules make'
			hpa '' 'an autoscaler for a Deployment'
			priority '' 'priority classes: ours, or one of your own'
		)
		options=(
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml render job')
		options=(
			'--image:once:text:container image (required)'
			'--container:once:text:the container'\''s name (default: the object'\''s)'
			'--shell:once:flag:COMMAND is one string that /bin/sh reads'
			'--keep-entrypoint:once:flag:COMMAND is arguments to the image'\''s entrypoint, not a replacement for it'
			'--working-dir:once:text:folder in the container in which COMMAND starts'
			'--image-pull-policy:once:words:Always, IfNotPresent or Never'
			'--image-pull-secret:many:text:Secret with the registry'\''s password'
			'--service-account:once:text:ServiceAccount that the pod runs as'
			'--grace:once:text:time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
			'--gpus:once:text:GPUs to hold; the pod then runs on GPU nodes alone'
			'--gpu-type:many:text:hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
			'--gpu-resource:once:text:what a GPU is called (default: nvidia.com/gpu)'
			'--cpu:once:text:CPUs to request: 2, 0.5 or 500m'
			'--memory:once:text:memory to request, as 4Gi; the limit too, unless --memory-limit is given'
			'--cpu-limit:once:text:CPUs it may use at most (default: what is idle)'
			'--memory-limit:once:text:memory above which it is killed'
			'--shm:once:text:size of /dev/shm, counted as memory; 0: the runtime'\''s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
			'--env -e:many:text:variable; without a value, the one it has here'
			'--env-file:many:file:variables from lines NAME=VALUE; --env wins over them'
			'--secret:many:text:variable with the value of a Secret'\''s key'
			'--data:many:text:mount a PersistentVolumeClaim'
			'--data-dir:many:text:mount a folder of the node'
			'--nfs:many:text:mount an NFS export'
			'--priority:once:ask:PriorityClass: who goes first when not all fit'
			'--queue:once:text:Kueue'\''s LocalQueue to wait in'
			'--cpu-only:once:flag:never run on a GPU node (default: rather not)'
			'--selector:many:text:run on nodes with this label alone'
			'--affinity:many:text:run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
			'--toleration:many:text:ignore this taint; all: every taint'
			'--runtime-class:once:text:RuntimeClass of the pod'
			'--retry:once:text:start again at most N times after a failure (default: 0); being preempted is none'
			'--retry-on-exit:many:text:start again only after these exit codes'
			'--ttl-after-finished:once:text:delete the job this long after its end (default: never)'
			'--suspend:once:flag:create it held; nothing runs until it is resumed'
			'--workers:once:text:N pods that train together, with names in DNS and torchrun'\''s variables'
			'--nproc-per-node:once:text:processes in each worker (default: one a GPU)'
			'--array:once:text:one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time'
			'--time:once:text:end it after this time: 90m, 2h30m or D-HH:MM:SS'
			'--label:many:text:label of the object and its pods'
			'--annotation:many:text:annotation of the object and its pods'
			'--namespace -n:once:text:namespace of the object'
			'--output -o:once:words:yaml, json or name (default: yaml)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		takes_command=1
		;;
	'vpsml render pod')
		options=(
			'--image:once:text:container image (required)'
			'--container:once:text:the container'\''s name (default: the object'\''s)'
			'--shell:once:flag:COMMAND is one string that /bin/sh reads'
			'--keep-entrypoint:once:flag:COMMAND is arguments to the image'\''s entrypoint, not a replacement for it'
			'--working-dir:once:text:folder in the container in which COMMAND starts'
			'--image-pull-policy:once:words:Always, IfNotPresent or Never'
			'--image-pull-secret:many:text:Secret with the registry'\''s password'
			'--service-account:once:text:ServiceAccount that the pod runs as'
			'--grace:once:text:time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
			'--gpus:once:text:GPUs to hold; the pod then runs on GPU nodes alone'
			'--gpu-type:many:text:hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
			'--gpu-resource:once:text:what a GPU is called (default: nvidia.com/gpu)'
			'--cpu:once:text:CPUs to request: 2, 0.5 or 500m'
			'--memory:once:text:memory to request, as 4Gi; the limit too, unless --memory-limit is given'
			'--cpu-limit:once:text:CPUs it may use at most (default: what is idle)'
			'--memory-limit:once:text:memory above which it is killed'
			'--shm:once:text:size of /dev/shm, counted as memory; 0: the runtime'\''s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
			'--env -e:many:text:variable; without a value, the one it has here'
			'--env-file:many:file:variables from lines NAME=VALUE; --env wins over them'
			'--secret:many:text:variable with the value of a Secret'\''s key'
			'--data:many:text:mount a PersistentVolumeClaim'
			'--data-dir:many:text:mount a folder of the node'
			'--nfs:many:text:mount an NFS export'
			'--priority:once:ask:PriorityClass: who goes first when not all fit'
			'--queue:once:text:Kueue'\''s LocalQueue to wait in'
			'--cpu-only:once:flag:never run on a GPU node (default: rather not)'
			'--selector:many:text:run on nodes with this label alone'
			'--affinity:many:text:run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
			'--toleration:many:text:ignore this taint; all: every taint'
			'--runtime-class:once:text:RuntimeClass of the pod'
			'--time:once:text:end it after this time: 90m, 2h30m or D-HH:MM:SS'
			'--label:many:text:label of the object and its pods'
			'--annotation:many:text:annotation of the object and its pods'
			'--namespace -n:once:text:namespace of the object'
			'--output -o:once:words:yaml, json or name (default: yaml)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		takes_command=1
		;;
	'vpsml render deployment')
		options=(
			'--image:once:text:container image (required)'
			'--container:once:text:the container'\''s name (default: the object'\''s)'
			'--shell:once:flag:COMMAND is one string that /bin/sh reads'
			'--keep-entrypoint:once:flag:COMMAND is arguments to the image'\''s entrypoint, not a replacement for it'
			'--working-dir:once:text:folder in the container in which COMMAND starts'
			'--image-pull-policy:once:words:Always, IfNotPresent or Never'
			'--image-pull-secret:many:text:Secret with the registry'\''s password'
			'--service-account:once:text:ServiceAccount that the pod runs as'
			'--grace:once:text:time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
			'--gpus:once:text:GPUs to hold; the pod then runs on GPU nodes alone'
			'--gpu-type:many:text:hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
			'--gpu-resource:once:text:what a GPU is called (default: nvidia.com/gpu)'
			'--cpu:once:text:CPUs to request: 2, 0.5 or 500m'
			'--memory:once:text:memory to request, as 4Gi; the limit too, unless --memory-limit is given'
			'--cpu-limit:once:text:CPUs it may use at most (default: what is idle)'
			'--memory-limit:once:text:memory above which it is killed'
			'--shm:once:text:size of /dev/shm, counted as memory; 0: the runtime'\''s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
			'--env -e:many:text:variable; without a value, the one it has here'
			'--env-file:many:file:variables from lines NAME=VALUE; --env wins over them'
			'--secret:many:text:variable with the value of a Secret'\''s key'
			'--data:many:text:mount a PersistentVolumeClaim'
			'--data-dir:many:text:mount a folder of the node'
			'--nfs:many:text:mount an NFS export'
			'--priority:once:ask:PriorityClass: who goes first when not all fit'
			'--queue:once:text:Kueue'\''s LocalQueue to wait in'
			'--cpu-only:once:flag:never run on a GPU node (default: rather not)'
			'--selector:many:text:run on nodes with this label alone'
			'--affinity:many:text:run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
			'--toleration:many:text:ignore this taint; all: every taint'
			'--runtime-class:once:text:RuntimeClass of the pod'
			'--replicas:once:text:pods to run (default: 1)'
			'--autoscale:once:text:let an autoscaler choose between so many pods'
			'--cpu-target:once:text:CPU use to keep to: 50% of the request, or 500m a pod'
			'--memory-target:once:text:memory use to keep to: 80% of the request, or 200Mi a pod'
			'--label:many:text:label of the object and its pods'
			'--annotation:many:text:annotation of the object and its pods'
			'--namespace -n:once:text:namespace of the object'
			'--output -o:once:words:yaml, json or name (default: yaml)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		takes_command=1
		;;
	'vpsml render affinity')
		options=(
			'--output -o:once:words:yaml or json (default: yaml)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=64
		;;
	'vpsml render hpa')
		options=(
			'--name:once:text:the autoscaler'\''s name (default: its target'\''s)'
			'--min:once:text:replicas at least (default: 1)'
			'--max:once:text:replicas at most (required)'
			'--cpu-target:once:text:CPU use to keep to: 50% of the request, or 500m a pod'
			'--memory-target:once:text:memory use to keep to: 80% of the request, or 200Mi a pod'
			'--namespace -n:once:text:namespace of both'
			'--api-version:once:words:autoscaling/v2, v2beta2 or v1 (default: autoscaling/v2, Kubernetes 1.23 and later)'
			'--output -o:once:words:yaml, json or name (default: yaml)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=2
		;;
	'vpsml render priority')
		options=(
			'--value:once:text:higher goes first; at most 1000000000, and 0 is what pods without a class have'
			'--preempt:once:flag:evict pods of lower classes (default: only go first)'
			'--description:once:text:what the class is for'
			'--output -o:once:words:yaml, json or name (default: yaml)'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=text arg_max=1
		;;
	'vpsml top')
		options=(
			'--once:once:flag:show one picture and end, as without a terminal'
			'--output -o:once:words:one picture as table, json, csv (a line a GPU) or prometheus (default: table)'
			'--view:once:words:begin with nodes, gpus, pods, jobs, queue or alerts (default: nodes)'
			'--filter:once:text:show rows of that view for which this holds: '\''gpu<5 & alloc>0'\'''
			'--sort:once:text:sort that view by this field'
			'--reverse:once:flag:with --sort: the other way round'
			'--interval:once:text:ask the cluster so often, 2s to 1m (default: 5s)'
			'--ascii:once:flag:draw with ASCII alone, whatever the locale says'
			'--record:once:file:add each picture to this file, a line of JSON each'
			'--replay:once:file:show what --record wrote; no cluster is asked'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml nodes')
		options=(
			'--output -o:once:words:table, wide, json, yaml, name or csv (default: table)'
			'--namespace -n:once:ask:namespace to work in (default: the context'\''s)'
			'--context:once:ask:context of the kubeconfig (default: its current one)'
			'--kubeconfig:once:file:kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
			'--as:once:text:act as this user'
			'--as-group:many:text:act as a member of this group'
			'--as-uid:once:text:act as the user with this uid'
			'--request-timeout:once:text:give up a request after this time (default: 30s, lists 1m)'
			'--allow-http:once:flag:send credentials to a server that is not https'
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	'vpsml completion')
		options=(
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=words arg_max=1
		;;
	'vpsml help')
		options=(
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		arg=verb arg_max=4
		;;
	'vpsml version')
		options=(
			'--help -h:once:flag:show this help'
			'--quiet -q:once:flag:show no warnings'
			'--verbose -v:many:flag:show requests and steps on standard error; twice: more of each'
		)
		;;
	esac
}

# The values that $1 takes: a command's argument, or a command's option.
_vpsml_words() {
	case $1 in
	'vpsml init --output') values=('text' 'json') ;;
	'vpsml init --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml init --ssh') values=('libssh2' 'openssh') ;;
	'vpsml join --output') values=('text' 'json') ;;
	'vpsml join --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml join --ssh') values=('libssh2' 'openssh') ;;
	'vpsml up --output') values=('text' 'json') ;;
	'vpsml up --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml up --ssh') values=('libssh2' 'openssh') ;;
	'vpsml kubeconfig --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml kubeconfig --ssh') values=('libssh2' 'openssh') ;;
	'vpsml remove --output') values=('text' 'json') ;;
	'vpsml remove --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml remove --ssh') values=('libssh2' 'openssh') ;;
	'vpsml down --output') values=('text' 'json') ;;
	'vpsml down --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml down --ssh') values=('libssh2' 'openssh') ;;
	'vpsml plan --output') values=('text' 'json' 'yaml') ;;
	'vpsml plan --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml plan --ssh') values=('libssh2' 'openssh') ;;
	'vpsml status --output') values=('table' 'wide' 'json' 'yaml' 'csv') ;;
	'vpsml status --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml status --ssh') values=('libssh2' 'openssh') ;;
	'vpsml setup --gpu-taint') values=('PreferNoSchedule' 'NoSchedule' 'none') ;;
	'vpsml setup --dry-run') values=('none' 'server') ;;
	'vpsml ssh --host-key') values=('ask' 'accept-new' 'strict') ;;
	'vpsml ssh --ssh') values=('libssh2' 'openssh') ;;
	'vpsml submit --kind') values=('job' 'pod' 'deployment') ;;
	'vpsml submit --dry-run') values=('none' 'client' 'server') ;;
	'vpsml submit --image-pull-policy') values=('Always' 'IfNotPresent' 'Never') ;;
	'vpsml submit --output') values=('yaml' 'json' 'name') ;;
	'vpsml run --image-pull-policy') values=('Always' 'IfNotPresent' 'Never') ;;
	'vpsml list --state') values=('pending' 'starting' 'running' 'suspended' 'succeeded' 'failed' 'terminating' 'deleted') ;;
	'vpsml list --sort') values=('age' 'name' 'state' 'gpus' 'wait' 'run' 'node') ;;
	'vpsml list --output') values=('table' 'wide' 'json' 'yaml' 'name' 'csv') ;;
	'vpsml get --output') values=('text' 'wide' 'json' 'yaml' 'name') ;;
	'vpsml cancel --state') values=('pending' 'starting' 'running' 'suspended' 'succeeded' 'failed' 'terminating' 'deleted') ;;
	'vpsml autoscale --dry-run') values=('none' 'client' 'server') ;;
	'vpsml autoscale --output') values=('yaml' 'json' 'name') ;;
	'vpsml render job --image-pull-policy') values=('Always' 'IfNotPresent' 'Never') ;;
	'vpsml render job --output') values=('yaml' 'json' 'name') ;;
	'vpsml render pod --image-pull-policy') values=('Always' 'IfNotPresent' 'Never') ;;
	'vpsml render pod --output') values=('yaml' 'json' 'name') ;;
	'vpsml render deployment --image-pull-policy') values=('Always' 'IfNotPresent' 'Never') ;;
	'vpsml render deployment --output') values=('yaml' 'json' 'name') ;;
	'vpsml render affinity --output') values=('yaml' 'json') ;;
	'vpsml render hpa --api-version') values=('autoscaling/v2' 'autoscaling/v2beta2' 'autoscaling/v1') ;;
	'vpsml render hpa --output') values=('yaml' 'json' 'name') ;;
	'vpsml render priority --output') values=('yaml' 'json' 'name') ;;
	'vpsml top --output') values=('table' 'json' 'csv' 'prometheus') ;;
	'vpsml top --view') values=('nodes' 'gpus' 'pods' 'jobs' 'queue' 'alerts') ;;
	'vpsml nodes --output') values=('table' 'wide' 'json' 'yaml' 'name' 'csv') ;;
	'vpsml completion') values=('bash' 'zsh' 'fish') ;;
	esac
}

# Joins what COMP_WORDBREAKS took apart at "=" and ":": words gets the words before the one
# at the cursor, and cur that one, up to the cursor.
_vpsml_split() {
	local i piece rest line=${COMP_LINE:0:COMP_POINT}
	words=() cur=''
	for ((i = 0; i <= COMP_CWORD; i++)); do
		piece=${COMP_WORDS[i]}
		rest=${line#"${line%%[![:space:]]*}"}
		((i < COMP_CWORD)) || piece=$rest
		if [[ $i == 0 || $rest == "$line" ]]; then
			cur+=$piece
		else
			words+=("$cur") cur=$piece
		fi
		line=${rest#"$piece"}
	done
}

# Follows the verbs at the beginning of "$@": sets path, how many words it has, and the
# rows of the command.
_vpsml_follow() {
	local i
	path=vpsml depth=1
	_vpsml_rows
	for word; do
		for ((i = 0; i < ${#verbs[@]}; i += 3)); do
			[[ $word != "${verbs[i]}" && $word != "${verbs[i + 1]}" ]] || break
		done
		((i < ${#verbs[@]})) || return 0
		path+=" ${verbs[i]}" depth=$((depth + 1))
		_vpsml_rows
	done
}

# Finds the row of the option $1, "--long" or "-s": sets name and action.
_vpsml_find() {
	local row
	for row in "${options[@]}"; do
		[[ " ${row%%:*} " == *" $1 "* ]] || continue
		name=${row%%[ :]*} row=${row#*:}
		row=${row#*:} action=${row%%:*}
		return 0
	done
	return 1
}

# Reads the letters of "-abc"; a value may follow in the same word.
_vpsml_letters() {
	local letters=$1
	while [[ $letters ]] && _vpsml_find "-${letters:0:1}"; do
		given+=" $name " letters=${letters:1}
		[[ $action != flag ]] || continue
		[[ $letters ]] || waiting=$action key=$name
		return 0
	done
}

# Reads the words behind the command: the options that are given and the one that waits for
# its value, plain words, and what comes after "--".
_vpsml_read() {
	local word
	while (($#)); do
		word=$1 waited=$waiting waiting=''
		shift
		case $word in
		--)
			if [[ $takes_command ]]; then has_rest=1 rest=("$@"); else plain+=("$@"); fi
			return 0
			;;
		--*)
			_vpsml_find "${word%%=*}" || continue
			given+=" $name "
			[[ $action == flag || $word == *=* ]] || waiting=$action key=$name
			;;
		*)
			if [[ $waited ]]; then
				continue
			elif [[ $word == -?* ]]; then
				_vpsml_letters "${word#-}"
			else
				plain+=("$word")
			fi
			;;
		esac
	done
}

# Offers the word $1 with the help $2, if it begins with what was typed. What stands before
# the part that readline replaces is cut off.
_vpsml_offer() {
	local word=$front$1 typed=$cur head=${cur%"$part"}
	[[ $quote ]] || typed=${typed//\\/} head=${head//\\/}
	[[ $word == "$typed"* ]] || return 0
	word=${word#"$head"}
	[[ $quote ]] || printf -v word %q "$word"
	COMPREPLY+=("$word")
	helps+=("$2")
}

# Offers each line of the input.
_vpsml_offer_lines() {
	local line
	while IFS= read -r line; do
		_vpsml_offer "$line" ''
	done
}

# Leaves paths to readline ($1: default or dirnames), which quotes them best; where it does
# not see the path alone, compgen (with $2) must do.
_vpsml_paths() {
	if [[ ! $front || $part == "${cur#"$front"}" ]]; then
		compopt -o "$1" 2>/dev/null && return
	fi
	_vpsml_offer_lines < <(compgen "$2" -- "${cur#"$front"}")
}

_vpsml_verbs() {
	local i
	for ((i = 0; i < ${#verbs[@]}; i += 3)); do
		_vpsml_offer "${verbs[i]}" "${verbs[i + 2]}"
	done
}

# Offers what vpsml itself finds out; a note stands behind a tab.
_vpsml_ask() {
	local line typed=("${words[@]:1}" "$cur")
	typed=("${typed[@]//[\\\'\"]/}")
	while IFS= read -r line; do
		case $line in
		$'\t'*) note=${line#?} ;;
		*) _vpsml_offer "$line" '' ;;
		esac
	done < <("${words[0]}" __complete -- "${typed[@]}" 2>/dev/null)
}

# Offers values of the kind $1, for the option or the command $2.
_vpsml_value() {
	local word
	case $1 in
	words)
		_vpsml_words "$2"
		for word in "${values[@]}"; do
			_vpsml_offer "$word" ''
		done
		;;
	file) _vpsml_paths default -f ;;
	folder) _vpsml_paths dirnames -d ;;
	ask) _vpsml_ask ;;
	verb)
		_vpsml_follow ${plain[@]+"${plain[@]}"}
		_vpsml_verbs
		;;
	esac
}

# Offers the options that may still be given.
_vpsml_options() {
	local row names word help
	for row in "${options[@]}"; do
		names=${row%%:*} row=${row#*:} help=${row#*:}
		[[ ${row%%:*} == many || $given != *" ${names%% *} "* ]] || continue
		for word in $names; do
			[[ $word != -? || $word == "$cur" ]] || continue
			_vpsml_offer "$word" "${help#*:}"
		done
	done
}

# Offers values for "--long=" or "-s" with something behind it.
_vpsml_attached() {
	front=$1
	_vpsml_find "${1%=}" && _vpsml_value "$action" "$path $name"
}

# A command of its own begins behind "--".
_vpsml_rest() {
	[[ ${#rest[@]} != 0 || ! $cur ]] || _vpsml_offer_lines < <(compgen -c -- "$cur" | sort -u)
	_vpsml_paths default -f
}

# Puts the help beside the words where they are listed only (the second tab).
_vpsml_describe() {
	local i line width=0
	[[ ${COMP_TYPE-} == 63 && ${helps[*]-}$note == *[![:space:]]* ]] || return 0
	for ((i = 0; i < ${#helps[@]}; i++)); do
		((width >= ${#COMPREPLY[i]})) || width=${#COMPREPLY[i]}
	done
	for ((i = 0; i < ${#helps[@]}; i++)); do
		printf -v line '%-*s  %s' "$width" "${COMPREPLY[i]}" "${helps[i]}"
		COMPREPLY[i]=${line:0:${COLUMNS:-80} - 1}
	done
	[[ ! $note ]] || COMPREPLY+=("($note)")
}

_vpsml() {
	local IFS=$' \t\n' cur words depth part=${2-} quote='' front=''
	local path verbs options arg arg_max takes_command values name action
	local word note='' helps=() given='' waited='' waiting='' key='' has_rest='' plain=() rest=()
	COMPREPLY=()
	_vpsml_split
	_vpsml_follow "${words[@]:1}"
	_vpsml_read "${words[@]:depth}"
	[[ $cur != [\"\']* ]] || quote=${cur:0:1} cur=${cur:1} part=${part#[\"\']}
	if [[ $has_rest ]]; then
		_vpsml_rest
	elif [[ $waiting && $cur != --* ]]; then
		_vpsml_value "$waiting" "$path $key"
	elif [[ $cur == --*=* ]]; then
		_vpsml_attached "${cur%%=*}="
	elif [[ $cur == -[!-]?* ]]; then
		_vpsml_attached "${cur:0:2}"
	elif [[ $cur == -* ]]; then
		_vpsml_options
	elif ((${#verbs[@]})); then
		[[ $given || ${#plain[@]} != 0 ]] || _vpsml_verbs
	elif ((${#plain[@]} < arg_max)); then
		_vpsml_value "$arg" "$path"
	fi
	_vpsml_describe
}

complete -F _vpsml vpsml
