# fish completion for vpsml, written by "vpsml completion fish": do not edit.

# The name of the verb that the last word means, below the verbs before it.
function __vpsml_verb
    switch "$argv"
        case 'init'
            echo init
        case 'join'
            echo join
        case 'up'
            echo up
        case 'kubeconfig'
            echo kubeconfig
        case 'remove'
            echo remove
        case 'down'
            echo down
        case 'plan'
            echo plan
        case 'status'
            echo status
        case 'setup'
            echo setup
        case 'cordon'
            echo cordon
        case 'drain'
            echo drain
        case 'uncordon'
            echo uncordon
        case 'ssh'
            echo ssh
        case 'submit'
            echo submit
        case 'run'
            echo run
        case 'list' 'ps'
            echo list
        case 'get' 'describe'
            echo get
        case 'logs'
            echo logs
        case 'wait'
            echo wait
        case 'cancel' 'delete'
            echo cancel
        case 'suspend'
            echo suspend
        case 'resume'
            echo resume
        case 'scale'
            echo scale
        case 'autoscale'
            echo autoscale
        case 'render'
            echo render
        case 'top'
            echo top
        case 'nodes'
            echo nodes
        case 'completion'
            echo completion
        case 'help'
            echo help
        case 'version'
            echo version
        case 'render job'
            echo job
        case 'render pod'
            echo pod
        case 'render deployment' 'render deploy'
            echo deployment
        case 'render affinity'
            echo affinity
        case 'render hpa'
            echo hpa
        case 'render priority'
            echo priority
        case '*'
            return 1
    end
end

# The verbs below a command, with their summaries.
function __vpsml_verbs
    switch "$argv"
        case ''
            echo init\t'make a cluster of a first host'
            echo join\t'add hosts to the cluster'
            echo up\t'bring hosts and cluster to what cluster.yaml says'
            echo kubeconfig\t'fetch the administrator\'s access to the cluster'
            echo remove\t'take hosts out of the cluster and of cluster.yaml'
            echo down\t'end the cluster: take all hosts out of it'
            echo plan\t'show what up would do to the hosts'
            echo status\t'show how far each host is'
            echo setup\t'make an existing cluster ready for vpsml\'s jobs'
            echo cordon\t'close nodes for new pods'
            echo drain\t'empty nodes, as far as disruption budgets allow'
            echo uncordon\t'open nodes for new pods again'
            echo ssh\t'run a command on hosts at once'
            echo submit\t'post a job, a pod, a deployment, or what is in files'
            echo run\t'post a job, follow its log, and exit as it did'
            echo list\t'show jobs, their state, and the reason for it'
            echo get\t'show a job in full: why it waits, its pods, its events'
            echo logs\t'show what a job has written'
            echo wait\t'wait until jobs have ended, and exit as they did'
            echo cancel\t'end jobs and free what they hold'
            echo suspend\t'hold jobs back and free what they hold'
            echo resume\t'let suspended jobs start'
            echo scale\t'change how many pods of a job or a deployment run'
            echo autoscale\t'let a Deployment grow and shrink with its load'
            echo render\t'show the YAML of a job, a pod or what belongs to them'
            echo top\t'show the load of nodes and GPUs, and who holds them'
            echo nodes\t'show nodes with what is used, asked for and there'
            echo completion\t'print the script that completes vpsml\'s command line'
            echo help\t'show the help of a command'
            echo version\t'show the version'
        case 'render'
            echo job\t'a Job: runs to its end, alone, as workers or as an array'
            echo pod\t'a Pod alone, which nothing starts again'
            echo deployment\t'a Deployment, with its autoscaler if wanted'
            echo affinity\t'the node affinity that rules make'
            echo hpa\t'an autoscaler for a Deployment'
            echo priority\t'priority classes: ours, or one of your own'
    end
end

# Does the option $argv[1] of the command behind it take a value?
function __vpsml_takes_value
    switch "$argv[2..-1]"
        case 'init'
            contains -- $argv[1] --name --node-name --kubernetes-version --control-plane-endpoint --apiserver-advertise-address --network --pod-network-cidr --service-cidr --output -o --kubeconfig --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'join'
            contains -- $argv[1] --node-name --output -o --kubeconfig --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'up'
            contains -- $argv[1] --output -o --kubeconfig --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'kubeconfig'
            contains -- $argv[1] --out --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'remove'
            contains -- $argv[1] --file -f --cluster --output -o --timeout --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'down'
            contains -- $argv[1] --file -f --cluster --output -o --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'plan'
            contains -- $argv[1] --output -o --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'status'
            contains -- $argv[1] --output -o --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'setup'
            contains -- $argv[1] --gpu-node --gpu-resource --gpu-taint --dry-run --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'cordon'
            contains -- $argv[1] --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'drain'
            contains -- $argv[1] --timeout --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'uncordon'
            contains -- $argv[1] --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'ssh'
            contains -- $argv[1] --timeout --file -f --limit --user --port --identity -i --jump -J --host-key --ssh-config -F --ssh --parallel --connect-timeout
        case 'submit'
            contains -- $argv[1] --filename -f --kind --dry-run --image --container --working-dir --image-pull-policy --image-pull-secret --service-account --grace --gpus --gpu-type --gpu-resource --cpu --memory --cpu-limit --memory-limit --shm --env -e --env-file --secret --data --data-dir --nfs --priority --queue --selector --affinity --toleration --runtime-class --retry --retry-on-exit --ttl-after-finished --workers --nproc-per-node --array --time --replicas --autoscale --cpu-target --memory-target --label --annotation --output -o --timeout --start-timeout --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'run'
            contains -- $argv[1] --image --container --working-dir --image-pull-policy --image-pull-secret --service-account --grace --gpus --gpu-type --gpu-resource --cpu --memory --cpu-limit --memory-limit --shm --env -e --env-file --secret --data --data-dir --nfs --priority --queue --selector --affinity --toleration --runtime-class --retry --retry-on-exit --ttl-after-finished --workers --nproc-per-node --array --time --label --annotation --timeout --start-timeout --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'list'
            contains -- $argv[1] --selector -l --state --user -u --sort --output -o --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'get'
            contains -- $argv[1] --output -o --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'logs'
            contains -- $argv[1] --container -c --index --tail --since --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'wait'
            contains -- $argv[1] --timeout --start-timeout --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'cancel'
            contains -- $argv[1] --selector -l --state --timeout --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'suspend'
            contains -- $argv[1] --timeout --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'resume'
            contains -- $argv[1] --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'scale'
            contains -- $argv[1] --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'autoscale'
            contains -- $argv[1] --name --min --max --cpu-target --memory-target --dry-run --output -o --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'render job'
            contains -- $argv[1] --image --container --working-dir --image-pull-policy --image-pull-secret --service-account --grace --gpus --gpu-type --gpu-resource --cpu --memory --cpu-limit --memory-limit --shm --env -e --env-file --secret --data --data-dir --nfs --priority --queue --selector --affinity --toleration --runtime-class --retry --retry-on-exit --ttl-after-finished --workers --nproc-per-node --array --time --label --annotation --namespace -n --output -o
        case 'render pod'
            contains -- $argv[1] --image --container --working-dir --image-pull-policy --image-pull-secret --service-account --grace --gpus --gpu-type --gpu-resource --cpu --memory --cpu-limit --memory-limit --shm --env -e --env-file --secret --data --data-dir --nfs --priority --queue --selector --affinity --toleration --runtime-class --time --label --annotation --namespace -n --output -o
        case 'render deployment'
            contains -- $argv[1] --image --container --working-dir --image-pull-policy --image-pull-secret --service-account --grace --gpus --gpu-type --gpu-resource --cpu --memory --cpu-limit --memory-limit --shm --env -e --env-file --secret --data --data-dir --nfs --priority --queue --selector --affinity --toleration --runtime-class --replicas --autoscale --cpu-target --memory-target --label --annotation --namespace -n --output -o
        case 'render affinity'
            contains -- $argv[1] --output -o
        case 'render hpa'
            contains -- $argv[1] --name --min --max --cpu-target --memory-target --namespace -n --api-version --output -o
        case 'render priority'
            contains -- $argv[1] --value --description --output -o
        case 'top'
            contains -- $argv[1] --output -o --view --filter --sort --interval --record --replay --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case 'nodes'
            contains -- $argv[1] --output -o --namespace -n --context --kubeconfig --as --as-group --as-uid --request-timeout
        case '*'
            return 1
    end
end

function __vpsml_takes_command
    contains -- "$argv" 'ssh' 'submit' 'run' 'render job' 'render pod' 'render deployment'
end

# The words before the cursor, without the program's name.
function __vpsml_tokens
    set -l tokens (commandline -opc)
    set -e tokens[1]
    string join -- \n $tokens
end

# The verbs at the beginning of the line, a line each: the command.
function __vpsml_command
    set -l path
    for word in (__vpsml_tokens)
        set -l verb (__vpsml_verb $path $word); or break
        set -a path $verb
    end
    string join -- \n $path
end

# The words behind the command that are no option and no option's value.
function __vpsml_words
    set -l tokens (__vpsml_tokens)
    set -l path (__vpsml_command)
    set -l is_value 0
    for word in $tokens[(math (count $path) + 1)..-1]
        if test $is_value = 1; and not string match -q -- '--*' $word
            set is_value 0
            continue
        end
        set is_value 0
        switch $word
            case --
                break
            case '-?*'
                __vpsml_takes_value $word $path; and set is_value 1
            case '*'
                echo $word
        end
    end
end

# Is the command the one given as arguments, and is the cursor not behind "--"?
# Most conditions below ask this of one line, so the answer for it is kept.
function __vpsml_in
    set -l line (commandline -opc)
    if test "$line" != "$__vpsml_line"
        set -g __vpsml_line "$line"
        set -g __vpsml_here (string join -- ' ' (__vpsml_command))
        contains -- -- $line; and set -g __vpsml_here --
    end
    test "$argv" = "$__vpsml_here"
end

# The same, with nothing behind the command yet.
function __vpsml_at
    __vpsml_in $argv; and test (count (__vpsml_tokens)) = (count $argv)
end

# The same as __vpsml_in, with room for one more of $argv[1] plain words.
function __vpsml_room
    __vpsml_in $argv[2..-1]; and test (count (__vpsml_words)) -lt $argv[1]
end

# The same as __vpsml_in, where an option is not given yet: $argv[1] is flag or value, then
# its long name, its letter, and the command. While its value is completed it stands last.
function __vpsml_once
    __vpsml_in $argv[4..-1]; or return
    set -l tokens (__vpsml_tokens)
    set -l given "--$argv[2](=.*)?"
    test -n $argv[3]; and set given "$given|-$argv[3].*"
    if test $argv[1] = value; and contains -- "$tokens[-1]" --$argv[2] -$argv[3]
        set -e tokens[-1]
    end
    not string match -qr -- "^(?:$given)\$" $tokens
end

# Is the cursor behind the "--" of a command that takes one?
function __vpsml_has_rest
    contains -- -- (__vpsml_tokens); and __vpsml_takes_command (__vpsml_command)
end

# What fish would offer if the words behind "--" were the whole line.
function __vpsml_rest
    set -l tokens (__vpsml_tokens)
    set tokens $tokens[(math (contains -i -- -- $tokens) + 1)..-1]
    complete -C (string join -- ' ' (string escape -- $tokens) (commandline -ct))
end

# What vpsml itself finds out. A note, which stands behind a tab, describes the last name.
function __vpsml_ask
    set -l tokens (commandline -opc)
    set -l lines ($tokens[1] __complete -- $tokens[2..-1] (commandline -ct) 2>/dev/null)
    if string match -q -- \t'*' "$lines[-1]"
        test (count $lines) -gt 1; and set lines[-2] $lines[-2]$lines[-1]
        set -e lines[-1]
    end
    string join -- \n $lines
end

function __vpsml_folders
    __fish_complete_directories (commandline -ct | string replace -r -- '^-[^=]*=' '')
end

complete -c vpsml -f
complete -c vpsml -n __vpsml_has_rest -a '(__vpsml_rest)'

# vpsml
complete -c vpsml -n '__vpsml_at' -a '(__vpsml_verbs)'
complete -c vpsml -n "__vpsml_once flag help 'h'" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q'" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml init
complete -c vpsml -n "__vpsml_once value name '' init" -l name -x -d 'of the cluster (default: vpsml)'
complete -c vpsml -n "__vpsml_once value node-name '' init" -l node-name -x -d 'of the host (default: the first part of HOST, or vps1)'
complete -c vpsml -n "__vpsml_once value kubernetes-version '' init" -l kubernetes-version -x -d 'exactly (default: v1.34.4)'
complete -c vpsml -n "__vpsml_once value control-plane-endpoint '' init" -l control-plane-endpoint -x -d 'where the API server is reached; needed for more control planes'
complete -c vpsml -n "__vpsml_once value apiserver-advertise-address '' init" -l apiserver-advertise-address -x -d 'the host\'s own, for the other nodes (default: the one that SSH came in at)'
complete -c vpsml -n "__vpsml_once value network '' init" -l network -r -F -d 'flannel, calico, none, or a manifest\'s path (default: flannel)'
complete -c vpsml -n "__vpsml_once value pod-network-cidr '' init" -l pod-network-cidr -x -d 'the pods\' network (default: 10.244.0.0/16; calico: 10.233.64.0/18)'
complete -c vpsml -n "__vpsml_once value service-cidr '' init" -l service-cidr -x -d 'the services\' network (default: 10.96.0.0/12)'
complete -c vpsml -n "__vpsml_once flag file-only '' init" -l file-only -d 'write the file, and leave the host alone'
complete -c vpsml -n "__vpsml_once value output 'o' init" -s o -l output -x -a 'text json' -d 'text, or json: an object a line for each event (default: text)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' init" -l kubeconfig -r -F -d 'the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once flag no-kubeconfig '' init" -l no-kubeconfig -d 'leave the kubeconfig alone'
complete -c vpsml -n "__vpsml_once value file 'f' init" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in init" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' init" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' init" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in init" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' init" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' init" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' init" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' init" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' init" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' init" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' init" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' init" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in init" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml join
complete -c vpsml -n "__vpsml_once flag control-plane '' join" -l control-plane -d 'as control planes; the cluster needs an endpoint'
complete -c vpsml -n "__vpsml_once value node-name '' join" -l node-name -x -d 'of a single host (default: the first part of HOST, or the next of vps1, vps2, ...)'
complete -c vpsml -n "__vpsml_once flag file-only '' join" -l file-only -d 'change the file, and leave the hosts alone'
complete -c vpsml -n "__vpsml_once value output 'o' join" -s o -l output -x -a 'text json' -d 'text, or json: an object a line for each event (default: text)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' join" -l kubeconfig -r -F -d 'the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once flag no-kubeconfig '' join" -l no-kubeconfig -d 'leave the kubeconfig alone'
complete -c vpsml -n "__vpsml_once value file 'f' join" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in join" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' join" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' join" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in join" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' join" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' join" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' join" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' join" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' join" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' join" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' join" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' join" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in join" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml up
complete -c vpsml -n "__vpsml_once value output 'o' up" -s o -l output -x -a 'text json' -d 'text, or json: an object a line for each event (default: text)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' up" -l kubeconfig -r -F -d 'the kubeconfig that gets the cluster (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once flag no-kubeconfig '' up" -l no-kubeconfig -d 'leave the kubeconfig alone'
complete -c vpsml -n "__vpsml_once value file 'f' up" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in up" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' up" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' up" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in up" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' up" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' up" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' up" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' up" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' up" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' up" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' up" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' up" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in up" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml kubeconfig
complete -c vpsml -n "__vpsml_once flag print '' kubeconfig" -l print -d 'write it to standard output, and change no file'
complete -c vpsml -n "__vpsml_once value out '' kubeconfig" -l out -r -F -d 'merge it into this file (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value file 'f' kubeconfig" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in kubeconfig" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' kubeconfig" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' kubeconfig" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in kubeconfig" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' kubeconfig" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' kubeconfig" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' kubeconfig" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' kubeconfig" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' kubeconfig" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' kubeconfig" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' kubeconfig" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' kubeconfig" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in kubeconfig" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml remove
complete -c vpsml -n "__vpsml_once value file 'f' remove" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_once flag yes '' remove" -l yes -d 'do not ask; needs --cluster'
complete -c vpsml -n "__vpsml_once value cluster '' remove" -l cluster -x -d 'with --yes: the cluster\'s name, which must be the file\'s'
complete -c vpsml -n "__vpsml_once value output 'o' remove" -s o -l output -x -a 'text json' -d 'text, or json: an object a line for each event (default: text)'
complete -c vpsml -n "__vpsml_once flag force '' remove" -l force -d 'take it out too where it is not reached or its pods do not go'
complete -c vpsml -n "__vpsml_once value timeout '' remove" -l timeout -x -d 'wait at most so long for its pods to go (default: 5m)'
complete -c vpsml -n "__vpsml_once value user '' remove" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' remove" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in remove" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' remove" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' remove" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' remove" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' remove" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' remove" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' remove" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' remove" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' remove" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in remove" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml down
complete -c vpsml -n "__vpsml_once value file 'f' down" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_once flag yes '' down" -l yes -d 'do not ask; needs --cluster'
complete -c vpsml -n "__vpsml_once value cluster '' down" -l cluster -x -d 'with --yes: the cluster\'s name, which must be the file\'s'
complete -c vpsml -n "__vpsml_once value output 'o' down" -s o -l output -x -a 'text json' -d 'text, or json: an object a line for each event (default: text)'
complete -c vpsml -n "__vpsml_once value user '' down" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' down" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in down" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' down" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' down" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' down" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' down" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' down" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' down" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' down" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' down" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in down" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml plan
complete -c vpsml -n "__vpsml_once flag exit-code '' plan" -l exit-code -d 'end with 10 when there is something to do'
complete -c vpsml -n "__vpsml_once value output 'o' plan" -s o -l output -x -a 'text json yaml' -d 'text, json or yaml (default: text)'
complete -c vpsml -n "__vpsml_once value file 'f' plan" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in plan" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' plan" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' plan" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in plan" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' plan" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' plan" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' plan" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' plan" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' plan" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' plan" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' plan" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' plan" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in plan" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml status
complete -c vpsml -n "__vpsml_once value output 'o' status" -s o -l output -x -a 'table wide json yaml csv' -d 'table, wide, json, yaml or csv (default: table)'
complete -c vpsml -n "__vpsml_once value file 'f' status" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in status" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' status" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' status" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in status" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' status" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' status" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' status" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' status" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' status" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' status" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' status" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' status" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in status" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml setup
complete -c vpsml -n "__vpsml_in setup" -l gpu-node -x -d 'a node with GPUs that Kubernetes does not see yet (default: nodes that offer GPUs)'
complete -c vpsml -n "__vpsml_once value gpu-resource '' setup" -l gpu-resource -x -d 'the GPUs\' resource, which is the taint\'s key too (default: what the node offers, else nvidia.com/gpu)'
complete -c vpsml -n "__vpsml_once value gpu-taint '' setup" -l gpu-taint -x -a 'PreferNoSchedule NoSchedule none' -d 'keep other pods off GPU nodes: PreferNoSchedule where they find a place elsewhere, NoSchedule always, none never (default: PreferNoSchedule)'
complete -c vpsml -n "__vpsml_once flag no-runtime-class '' setup" -l no-runtime-class -d 'leave out the runtime class nvidia: GPU nodes that need none'
complete -c vpsml -n "__vpsml_once value dry-run '' setup" -l dry-run -x -a 'none server' -d 'none, or server: say what would change, and change nothing (default: none)'
complete -c vpsml -n "__vpsml_once value namespace 'n' setup" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' setup" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' setup" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' setup" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in setup" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' setup" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' setup" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' setup" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' setup" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' setup" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in setup" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml cordon
complete -c vpsml -n '__vpsml_room 1000 cordon' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value namespace 'n' cordon" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' cordon" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' cordon" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' cordon" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in cordon" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' cordon" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' cordon" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' cordon" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' cordon" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' cordon" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in cordon" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml drain
complete -c vpsml -n '__vpsml_room 1000 drain' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value timeout '' drain" -l timeout -x -d 'wait at most so long for the pods to go (default: 5m)'
complete -c vpsml -n "__vpsml_once flag force '' drain" -l force -d 'evict pods too that nothing makes again elsewhere'
complete -c vpsml -n "__vpsml_once flag yes '' drain" -l yes -d 'do not ask before pods that hold GPUs are evicted'
complete -c vpsml -n "__vpsml_once value namespace 'n' drain" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' drain" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' drain" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' drain" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in drain" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' drain" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' drain" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' drain" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' drain" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' drain" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in drain" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml uncordon
complete -c vpsml -n '__vpsml_room 1000 uncordon' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value namespace 'n' uncordon" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' uncordon" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' uncordon" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' uncordon" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in uncordon" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' uncordon" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' uncordon" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' uncordon" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' uncordon" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' uncordon" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in uncordon" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml ssh
complete -c vpsml -n "__vpsml_once flag all '' ssh" -l all -d 'on every host of the cluster\'s file, by their names there'
complete -c vpsml -n "__vpsml_once flag sudo '' ssh" -l sudo -d 'run the command as root, by sudo where the user is another'
complete -c vpsml -n "__vpsml_once value timeout '' ssh" -l timeout -x -d 'wait at most so long for the command to end (default: no limit)'
complete -c vpsml -n "__vpsml_once value file 'f' ssh" -s f -l file -r -F -d 'the file that describes the cluster (default: cluster.yaml)'
complete -c vpsml -n "__vpsml_in ssh" -l limit -x -d 'only this host of the file'
complete -c vpsml -n "__vpsml_once value user '' ssh" -l user -x -d 'log in as this user (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value port '' ssh" -l port -x -d 'port of sshd (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_in ssh" -s i -l identity -r -F -d 'private key to log in with (default: ssh_config\'s)'
complete -c vpsml -n "__vpsml_once value jump 'J' ssh" -s J -l jump -x -d 'go through this host; none (default: ssh_config\'s ProxyJump)'
complete -c vpsml -n "__vpsml_once value host-key '' ssh" -l host-key -x -a 'ask accept-new strict' -d 'which host keys to take: ask, accept-new, strict, sha256:FINGERPRINT (default: ask)'
complete -c vpsml -n "__vpsml_once value ssh-config 'F' ssh" -s F -l ssh-config -r -F -d 'another ssh_config; none (default: the user\'s and the system\'s)'
complete -c vpsml -n "__vpsml_once value ssh '' ssh" -l ssh -x -a 'libssh2 openssh' -d 'how to speak SSH: libssh2, openssh (default: libssh2)'
complete -c vpsml -n "__vpsml_once value parallel '' ssh" -l parallel -x -d 'connect to so many hosts at a time (default: 32)'
complete -c vpsml -n "__vpsml_once value connect-timeout '' ssh" -l connect-timeout -x -d 'wait at most so long for a connection (default: 10s)'
complete -c vpsml -n "__vpsml_once flag help 'h' ssh" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' ssh" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in ssh" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml submit
complete -c vpsml -n "__vpsml_in submit" -s f -l filename -r -F -d 'post what is in FILE, YAML or JSON, instead of what flags say; -: standard input'
complete -c vpsml -n "__vpsml_once value kind '' submit" -l kind -x -a 'job pod deployment' -d 'job, pod or deployment (default: job)'
complete -c vpsml -n "__vpsml_once flag name-prefix '' submit" -l name-prefix -d 'NAME, or a name in FILE, is a prefix: five random characters are added'
complete -c vpsml -n "__vpsml_once flag replace '' submit" -l replace -d 'delete what has the name now, with its pods, and take its place'
complete -c vpsml -n "__vpsml_once value dry-run '' submit" -l dry-run -x -a 'none client server' -d 'none, client (only show it) or server (let the server check it) (default: none)'
complete -c vpsml -n "__vpsml_once flag wait '' submit" -l wait -d 'wait until the job has ended, and exit as it did'
complete -c vpsml -n "__vpsml_once value image '' submit" -l image -x -d 'container image (required)'
complete -c vpsml -n "__vpsml_once value container '' submit" -l container -x -d 'the container\'s name (default: the object\'s)'
complete -c vpsml -n "__vpsml_once flag shell '' submit" -l shell -d 'COMMAND is one string that /bin/sh reads'
complete -c vpsml -n "__vpsml_once flag keep-entrypoint '' submit" -l keep-entrypoint -d 'COMMAND is arguments to the image\'s entrypoint, not a replacement for it'
complete -c vpsml -n "__vpsml_once value working-dir '' submit" -l working-dir -x -d 'folder in the container in which COMMAND starts'
complete -c vpsml -n "__vpsml_once value image-pull-policy '' submit" -l image-pull-policy -x -a 'Always IfNotPresent Never' -d 'Always, IfNotPresent or Never'
complete -c vpsml -n "__vpsml_in submit" -l image-pull-secret -x -d 'Secret with the registry\'s password'
complete -c vpsml -n "__vpsml_once value service-account '' submit" -l service-account -x -d 'ServiceAccount that the pod runs as'
complete -c vpsml -n "__vpsml_once value grace '' submit" -l grace -x -d 'time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
complete -c vpsml -n "__vpsml_once value gpus '' submit" -l gpus -x -d 'GPUs to hold; the pod then runs on GPU nodes alone'
complete -c vpsml -n "__vpsml_in submit" -l gpu-type -x -d 'hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
complete -c vpsml -n "__vpsml_once value gpu-resource '' submit" -l gpu-resource -x -d 'what a GPU is called (default: nvidia.com/gpu)'
complete -c vpsml -n "__vpsml_once value cpu '' submit" -l cpu -x -d 'CPUs to request: 2, 0.5 or 500m'
complete -c vpsml -n "__vpsml_once value memory '' submit" -l memory -x -d 'memory to request, as 4Gi; the limit too, unless --memory-limit is given'
complete -c vpsml -n "__vpsml_once value cpu-limit '' submit" -l cpu-limit -x -d 'CPUs it may use at most (default: what is idle)'
complete -c vpsml -n "__vpsml_once value memory-limit '' submit" -l memory-limit -x -d 'memory above which it is killed'
complete -c vpsml -n "__vpsml_once value shm '' submit" -l shm -x -d 'size of /dev/shm, counted as memory; 0: the runtime\'s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
complete -c vpsml -n "__vpsml_in submit" -s e -l env -x -d 'variable; without a value, the one it has here'
complete -c vpsml -n "__vpsml_in submit" -l env-file -r -F -d 'variables from lines NAME=VALUE; --env wins over them'
complete -c vpsml -n "__vpsml_in submit" -l secret -x -d 'variable with the value of a Secret\'s key'
complete -c vpsml -n "__vpsml_in submit" -l data -x -d 'mount a PersistentVolumeClaim'
complete -c vpsml -n "__vpsml_in submit" -l data-dir -x -d 'mount a folder of the node'
complete -c vpsml -n "__vpsml_in submit" -l nfs -x -d 'mount an NFS export'
complete -c vpsml -n "__vpsml_once value priority '' submit" -l priority -x -a '(__vpsml_ask)' -d 'PriorityClass: who goes first when not all fit'
complete -c vpsml -n "__vpsml_once value queue '' submit" -l queue -x -d 'Kueue\'s LocalQueue to wait in'
complete -c vpsml -n "__vpsml_once flag cpu-only '' submit" -l cpu-only -d 'never run on a GPU node (default: rather not)'
complete -c vpsml -n "__vpsml_in submit" -l selector -x -d 'run on nodes with this label alone'
complete -c vpsml -n "__vpsml_in submit" -l affinity -x -d 'run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
complete -c vpsml -n "__vpsml_in submit" -l toleration -x -d 'ignore this taint; all: every taint'
complete -c vpsml -n "__vpsml_once value runtime-class '' submit" -l runtime-class -x -d 'RuntimeClass of the pod'
complete -c vpsml -n "__vpsml_once value retry '' submit" -l retry -x -d 'start again at most N times after a failure (default: 0); being preempted is none'
complete -c vpsml -n "__vpsml_in submit" -l retry-on-exit -x -d 'start again only after these exit codes'
complete -c vpsml -n "__vpsml_once value ttl-after-finished '' submit" -l ttl-after-finished -x -d 'delete the job this long after its end (default: never)'
complete -c vpsml -n "__vpsml_once flag suspend '' submit" -l suspend -d 'create it held; nothing runs until it is resumed'
complete -c vpsml -n "__vpsml_once value workers '' submit" -l workers -x -d 'N pods that train together, with names in DNS and torchrun\'s variables'
complete -c vpsml -n "__vpsml_once value nproc-per-node '' submit" -l nproc-per-node -x -d 'processes in each worker (default: one a GPU)'
complete -c vpsml -n "__vpsml_once value array '' submit" -l array -x -d 'one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time'
complete -c vpsml -n "__vpsml_once value time '' submit" -l time -x -d 'end it after this time: 90m, 2h30m or D-HH:MM:SS'
complete -c vpsml -n "__vpsml_once value replicas '' submit" -l replicas -x -d 'pods to run (default: 1)'
complete -c vpsml -n "__vpsml_once value autoscale '' submit" -l autoscale -x -d 'let an autoscaler choose between so many pods'
complete -c vpsml -n "__vpsml_once value cpu-target '' submit" -l cpu-target -x -d 'CPU use to keep to: 50% of the request, or 500m a pod'
complete -c vpsml -n "__vpsml_once value memory-target '' submit" -l memory-target -x -d 'memory use to keep to: 80% of the request, or 200Mi a pod'
complete -c vpsml -n "__vpsml_in submit" -l label -x -d 'label of the object and its pods'
complete -c vpsml -n "__vpsml_in submit" -l annotation -x -d 'annotation of the object and its pods'
complete -c vpsml -n "__vpsml_once value output 'o' submit" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name: show the object so (default: say what was made)'
complete -c vpsml -n "__vpsml_once value timeout '' submit" -l timeout -x -d 'stop waiting after this time, with status 124; the job goes on'
complete -c vpsml -n "__vpsml_once value start-timeout '' submit" -l start-timeout -x -d 'give up when an image or a setting has been bad for so long, with status 125; 0: never (default: 10m)'
complete -c vpsml -n "__vpsml_once value namespace 'n' submit" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' submit" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' submit" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' submit" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in submit" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' submit" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' submit" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' submit" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' submit" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' submit" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in submit" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml run
complete -c vpsml -n "__vpsml_once flag name-prefix '' run" -l name-prefix -d 'NAME is a prefix: five random characters are added'
complete -c vpsml -n "__vpsml_once flag replace '' run" -l replace -d 'delete the job that has the name now, with its pods, and take its place'
complete -c vpsml -n "__vpsml_once flag timestamps '' run" -l timestamps -d 'when each line of the log was written'
complete -c vpsml -n "__vpsml_once value image '' run" -l image -x -d 'container image (required)'
complete -c vpsml -n "__vpsml_once value container '' run" -l container -x -d 'the container\'s name (default: the object\'s)'
complete -c vpsml -n "__vpsml_once flag shell '' run" -l shell -d 'COMMAND is one string that /bin/sh reads'
complete -c vpsml -n "__vpsml_once flag keep-entrypoint '' run" -l keep-entrypoint -d 'COMMAND is arguments to the image\'s entrypoint, not a replacement for it'
complete -c vpsml -n "__vpsml_once value working-dir '' run" -l working-dir -x -d 'folder in the container in which COMMAND starts'
complete -c vpsml -n "__vpsml_once value image-pull-policy '' run" -l image-pull-policy -x -a 'Always IfNotPresent Never' -d 'Always, IfNotPresent or Never'
complete -c vpsml -n "__vpsml_in run" -l image-pull-secret -x -d 'Secret with the registry\'s password'
complete -c vpsml -n "__vpsml_once value service-account '' run" -l service-account -x -d 'ServiceAccount that the pod runs as'
complete -c vpsml -n "__vpsml_once value grace '' run" -l grace -x -d 'time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
complete -c vpsml -n "__vpsml_once value gpus '' run" -l gpus -x -d 'GPUs to hold; the pod then runs on GPU nodes alone'
complete -c vpsml -n "__vpsml_in run" -l gpu-type -x -d 'hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
complete -c vpsml -n "__vpsml_once value gpu-resource '' run" -l gpu-resource -x -d 'what a GPU is called (default: nvidia.com/gpu)'
complete -c vpsml -n "__vpsml_once value cpu '' run" -l cpu -x -d 'CPUs to request: 2, 0.5 or 500m'
complete -c vpsml -n "__vpsml_once value memory '' run" -l memory -x -d 'memory to request, as 4Gi; the limit too, unless --memory-limit is given'
complete -c vpsml -n "__vpsml_once value cpu-limit '' run" -l cpu-limit -x -d 'CPUs it may use at most (default: what is idle)'
complete -c vpsml -n "__vpsml_once value memory-limit '' run" -l memory-limit -x -d 'memory above which it is killed'
complete -c vpsml -n "__vpsml_once value shm '' run" -l shm -x -d 'size of /dev/shm, counted as memory; 0: the runtime\'s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
complete -c vpsml -n "__vpsml_in run" -s e -l env -x -d 'variable; without a value, the one it has here'
complete -c vpsml -n "__vpsml_in run" -l env-file -r -F -d 'variables from lines NAME=VALUE; --env wins over them'
complete -c vpsml -n "__vpsml_in run" -l secret -x -d 'variable with the value of a Secret\'s key'
complete -c vpsml -n "__vpsml_in run" -l data -x -d 'mount a PersistentVolumeClaim'
complete -c vpsml -n "__vpsml_in run" -l data-dir -x -d 'mount a folder of the node'
complete -c vpsml -n "__vpsml_in run" -l nfs -x -d 'mount an NFS export'
complete -c vpsml -n "__vpsml_once value priority '' run" -l priority -x -a '(__vpsml_ask)' -d 'PriorityClass: who goes first when not all fit'
complete -c vpsml -n "__vpsml_once value queue '' run" -l queue -x -d 'Kueue\'s LocalQueue to wait in'
complete -c vpsml -n "__vpsml_once flag cpu-only '' run" -l cpu-only -d 'never run on a GPU node (default: rather not)'
complete -c vpsml -n "__vpsml_in run" -l selector -x -d 'run on nodes with this label alone'
complete -c vpsml -n "__vpsml_in run" -l affinity -x -d 'run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
complete -c vpsml -n "__vpsml_in run" -l toleration -x -d 'ignore this taint; all: every taint'
complete -c vpsml -n "__vpsml_once value runtime-class '' run" -l runtime-class -x -d 'RuntimeClass of the pod'
complete -c vpsml -n "__vpsml_once value retry '' run" -l retry -x -d 'start again at most N times after a failure (default: 0); being preempted is none'
complete -c vpsml -n "__vpsml_in run" -l retry-on-exit -x -d 'start again only after these exit codes'
complete -c vpsml -n "__vpsml_once value ttl-after-finished '' run" -l ttl-after-finished -x -d 'delete the job this long after its end (default: never)'
complete -c vpsml -n "__vpsml_once flag suspend '' run" -l suspend -d 'create it held; nothing runs until it is resumed'
complete -c vpsml -n "__vpsml_once value workers '' run" -l workers -x -d 'N pods that train together, with names in DNS and torchrun\'s variables'
complete -c vpsml -n "__vpsml_once value nproc-per-node '' run" -l nproc-per-node -x -d 'processes in each worker (default: one a GPU)'
complete -c vpsml -n "__vpsml_once value array '' run" -l array -x -d 'one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time'
complete -c vpsml -n "__vpsml_once value time '' run" -l time -x -d 'end it after this time: 90m, 2h30m or D-HH:MM:SS'
complete -c vpsml -n "__vpsml_in run" -l label -x -d 'label of the object and its pods'
complete -c vpsml -n "__vpsml_in run" -l annotation -x -d 'annotation of the object and its pods'
complete -c vpsml -n "__vpsml_once value timeout '' run" -l timeout -x -d 'stop waiting after this time, with status 124; the job goes on'
complete -c vpsml -n "__vpsml_once value start-timeout '' run" -l start-timeout -x -d 'give up when an image or a setting has been bad for so long, with status 125; 0: never (default: 10m)'
complete -c vpsml -n "__vpsml_once value namespace 'n' run" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' run" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' run" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' run" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in run" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' run" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' run" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' run" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' run" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' run" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in run" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml list
complete -c vpsml -n "__vpsml_once flag all-namespaces 'A' list" -s A -l all-namespaces -d 'jobs of every namespace'
complete -c vpsml -n "__vpsml_once value selector 'l' list" -s l -l selector -x -d 'jobs with these labels alone, as kubectl takes them'
complete -c vpsml -n "__vpsml_in list" -l state -x -a 'pending starting running suspended succeeded failed terminating deleted' -d 'jobs in these states alone: pending, starting, running, suspended, succeeded, failed, terminating; with --watch also deleted'
complete -c vpsml -n "__vpsml_once value user 'u' list" -s u -l user -x -d 'jobs that this user submitted'
complete -c vpsml -n "__vpsml_once value sort '' list" -l sort -x -a 'age name state gpus wait run node' -d 'age, name, state, gpus, wait, run or node (default: age, newest first)'
complete -c vpsml -n "__vpsml_once value output 'o' list" -s o -l output -x -a 'table wide json yaml name csv' -d 'table, wide, json, yaml, name or csv (default: table)'
complete -c vpsml -n "__vpsml_once flag watch 'w' list" -s w -l watch -d 'go on: a line for each job whose state, reason, node or pods change'
complete -c vpsml -n "__vpsml_once value namespace 'n' list" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' list" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' list" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' list" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in list" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' list" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' list" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' list" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' list" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' list" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in list" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml get
complete -c vpsml -n '__vpsml_room 1000 get' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value output 'o' get" -s o -l output -x -a 'text wide json yaml name' -d 'text, wide (labels and every event too), json, yaml or name (default: text)'
complete -c vpsml -n "__vpsml_once value namespace 'n' get" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' get" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' get" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' get" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in get" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' get" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' get" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' get" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' get" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' get" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in get" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml logs
complete -c vpsml -n '__vpsml_room 1 logs' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once flag follow 'f' logs" -s f -l follow -d 'go on until the job ends'
complete -c vpsml -n "__vpsml_once value container 'c' logs" -s c -l container -x -d 'of this container alone'
complete -c vpsml -n "__vpsml_once value index '' logs" -l index -x -d 'of this worker or array task alone'
complete -c vpsml -n "__vpsml_once value tail '' logs" -l tail -x -d 'the last N lines of each container'
complete -c vpsml -n "__vpsml_once value since '' logs" -l since -x -d 'lines of this last time alone'
complete -c vpsml -n "__vpsml_once flag previous 'p' logs" -s p -l previous -d 'of the run before kubelet restarted the container'
complete -c vpsml -n "__vpsml_once flag timestamps '' logs" -l timestamps -d 'when each line was written'
complete -c vpsml -n "__vpsml_once value namespace 'n' logs" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' logs" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' logs" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' logs" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in logs" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' logs" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' logs" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' logs" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' logs" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' logs" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in logs" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml wait
complete -c vpsml -n '__vpsml_room 1000 wait' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value timeout '' wait" -l timeout -x -d 'stop waiting after this time, with status 124; the job goes on'
complete -c vpsml -n "__vpsml_once value start-timeout '' wait" -l start-timeout -x -d 'give up when an image or a setting has been bad for so long, with status 125; 0: never (default: 10m)'
complete -c vpsml -n "__vpsml_once value namespace 'n' wait" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' wait" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' wait" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' wait" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in wait" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' wait" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' wait" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' wait" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' wait" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' wait" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in wait" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml cancel
complete -c vpsml -n '__vpsml_room 1000 cancel' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value selector 'l' cancel" -s l -l selector -x -d 'jobs with these labels'
complete -c vpsml -n "__vpsml_in cancel" -l state -x -a 'pending starting running suspended succeeded failed terminating deleted' -d 'of these, jobs in one of these states alone'
complete -c vpsml -n "__vpsml_once flag all '' cancel" -l all -d 'every job of the namespace'
complete -c vpsml -n "__vpsml_once flag no-wait '' cancel" -l no-wait -d 'do not wait until the pods are gone'
complete -c vpsml -n "__vpsml_once value timeout '' cancel" -l timeout -x -d 'wait at most so long for the pods to go (default: 5m)'
complete -c vpsml -n "__vpsml_once value namespace 'n' cancel" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' cancel" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' cancel" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' cancel" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in cancel" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' cancel" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' cancel" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' cancel" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' cancel" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' cancel" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in cancel" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml suspend
complete -c vpsml -n '__vpsml_room 1000 suspend' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once flag wait '' suspend" -l wait -d 'return when the pods have ended and their GPUs are free'
complete -c vpsml -n "__vpsml_once value timeout '' suspend" -l timeout -x -d 'with --wait: wait at most so long (default: 5m)'
complete -c vpsml -n "__vpsml_once value namespace 'n' suspend" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' suspend" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' suspend" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' suspend" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in suspend" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' suspend" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' suspend" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' suspend" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' suspend" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' suspend" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in suspend" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml resume
complete -c vpsml -n '__vpsml_room 1000 resume' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value namespace 'n' resume" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' resume" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' resume" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' resume" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in resume" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' resume" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' resume" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' resume" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' resume" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' resume" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in resume" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml scale
complete -c vpsml -n '__vpsml_room 2 scale' -x -a '(__vpsml_ask)'
complete -c vpsml -n "__vpsml_once value namespace 'n' scale" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' scale" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' scale" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' scale" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in scale" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' scale" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' scale" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' scale" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' scale" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' scale" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in scale" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml autoscale
complete -c vpsml -n "__vpsml_once value name '' autoscale" -l name -x -d 'the autoscaler\'s name (default: its target\'s)'
complete -c vpsml -n "__vpsml_once value min '' autoscale" -l min -x -d 'replicas at least (default: 1)'
complete -c vpsml -n "__vpsml_once value max '' autoscale" -l max -x -d 'replicas at most (required)'
complete -c vpsml -n "__vpsml_once value cpu-target '' autoscale" -l cpu-target -x -d 'CPU use to keep to: 50% of the request, or 500m a pod'
complete -c vpsml -n "__vpsml_once value memory-target '' autoscale" -l memory-target -x -d 'memory use to keep to: 80% of the request, or 200Mi a pod'
complete -c vpsml -n "__vpsml_once flag replace '' autoscale" -l replace -d 'take the place of the autoscaler that has the name now'
complete -c vpsml -n "__vpsml_once value dry-run '' autoscale" -l dry-run -x -a 'none client server' -d 'none, client (only show it) or server (let the server check it) (default: none)'
complete -c vpsml -n "__vpsml_once value output 'o' autoscale" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name: show the object so (default: say what was made)'
complete -c vpsml -n "__vpsml_once value namespace 'n' autoscale" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' autoscale" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' autoscale" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' autoscale" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in autoscale" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' autoscale" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' autoscale" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' autoscale" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' autoscale" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' autoscale" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in autoscale" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render
complete -c vpsml -n '__vpsml_at render' -a '(__vpsml_verbs render)'
complete -c vpsml -n "__vpsml_once flag help 'h' render" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render job
complete -c vpsml -n "__vpsml_once value image '' render job" -l image -x -d 'container image (required)'
complete -c vpsml -n "__vpsml_once value container '' render job" -l container -x -d 'the container\'s name (default: the object\'s)'
complete -c vpsml -n "__vpsml_once flag shell '' render job" -l shell -d 'COMMAND is one string that /bin/sh reads'
complete -c vpsml -n "__vpsml_once flag keep-entrypoint '' render job" -l keep-entrypoint -d 'COMMAND is arguments to the image\'s entrypoint, not a replacement for it'
complete -c vpsml -n "__vpsml_once value working-dir '' render job" -l working-dir -x -d 'folder in the container in which COMMAND starts'
complete -c vpsml -n "__vpsml_once value image-pull-policy '' render job" -l image-pull-policy -x -a 'Always IfNotPresent Never' -d 'Always, IfNotPresent or Never'
complete -c vpsml -n "__vpsml_in render job" -l image-pull-secret -x -d 'Secret with the registry\'s password'
complete -c vpsml -n "__vpsml_once value service-account '' render job" -l service-account -x -d 'ServiceAccount that the pod runs as'
complete -c vpsml -n "__vpsml_once value grace '' render job" -l grace -x -d 'time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
complete -c vpsml -n "__vpsml_once value gpus '' render job" -l gpus -x -d 'GPUs to hold; the pod then runs on GPU nodes alone'
complete -c vpsml -n "__vpsml_in render job" -l gpu-type -x -d 'hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
complete -c vpsml -n "__vpsml_once value gpu-resource '' render job" -l gpu-resource -x -d 'what a GPU is called (default: nvidia.com/gpu)'
complete -c vpsml -n "__vpsml_once value cpu '' render job" -l cpu -x -d 'CPUs to request: 2, 0.5 or 500m'
complete -c vpsml -n "__vpsml_once value memory '' render job" -l memory -x -d 'memory to request, as 4Gi; the limit too, unless --memory-limit is given'
complete -c vpsml -n "__vpsml_once value cpu-limit '' render job" -l cpu-limit -x -d 'CPUs it may use at most (default: what is idle)'
complete -c vpsml -n "__vpsml_once value memory-limit '' render job" -l memory-limit -x -d 'memory above which it is killed'
complete -c vpsml -n "__vpsml_once value shm '' render job" -l shm -x -d 'size of /dev/shm, counted as memory; 0: the runtime\'s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
complete -c vpsml -n "__vpsml_in render job" -s e -l env -x -d 'variable; without a value, the one it has here'
complete -c vpsml -n "__vpsml_in render job" -l env-file -r -F -d 'variables from lines NAME=VALUE; --env wins over them'
complete -c vpsml -n "__vpsml_in render job" -l secret -x -d 'variable with the value of a Secret\'s key'
complete -c vpsml -n "__vpsml_in render job" -l data -x -d 'mount a PersistentVolumeClaim'
complete -c vpsml -n "__vpsml_in render job" -l data-dir -x -d 'mount a folder of the node'
complete -c vpsml -n "__vpsml_in render job" -l nfs -x -d 'mount an NFS export'
complete -c vpsml -n "__vpsml_once value priority '' render job" -l priority -x -a '(__vpsml_ask)' -d 'PriorityClass: who goes first when not all fit'
complete -c vpsml -n "__vpsml_once value queue '' render job" -l queue -x -d 'Kueue\'s LocalQueue to wait in'
complete -c vpsml -n "__vpsml_once flag cpu-only '' render job" -l cpu-only -d 'never run on a GPU node (default: rather not)'
complete -c vpsml -n "__vpsml_in render job" -l selector -x -d 'run on nodes with this label alone'
complete -c vpsml -n "__vpsml_in render job" -l affinity -x -d 'run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
complete -c vpsml -n "__vpsml_in render job" -l toleration -x -d 'ignore this taint; all: every taint'
complete -c vpsml -n "__vpsml_once value runtime-class '' render job" -l runtime-class -x -d 'RuntimeClass of the pod'
complete -c vpsml -n "__vpsml_once value retry '' render job" -l retry -x -d 'start again at most N times after a failure (default: 0); being preempted is none'
complete -c vpsml -n "__vpsml_in render job" -l retry-on-exit -x -d 'start again only after these exit codes'
complete -c vpsml -n "__vpsml_once value ttl-after-finished '' render job" -l ttl-after-finished -x -d 'delete the job this long after its end (default: never)'
complete -c vpsml -n "__vpsml_once flag suspend '' render job" -l suspend -d 'create it held; nothing runs until it is resumed'
complete -c vpsml -n "__vpsml_once value workers '' render job" -l workers -x -d 'N pods that train together, with names in DNS and torchrun\'s variables'
complete -c vpsml -n "__vpsml_once value nproc-per-node '' render job" -l nproc-per-node -x -d 'processes in each worker (default: one a GPU)'
complete -c vpsml -n "__vpsml_once value array '' render job" -l array -x -d 'one pod for each task number, in VPSML_ARRAY_TASK_ID, N at a time'
complete -c vpsml -n "__vpsml_once value time '' render job" -l time -x -d 'end it after this time: 90m, 2h30m or D-HH:MM:SS'
complete -c vpsml -n "__vpsml_in render job" -l label -x -d 'label of the object and its pods'
complete -c vpsml -n "__vpsml_in render job" -l annotation -x -d 'annotation of the object and its pods'
complete -c vpsml -n "__vpsml_once value namespace 'n' render job" -s n -l namespace -x -d 'namespace of the object'
complete -c vpsml -n "__vpsml_once value output 'o' render job" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name (default: yaml)'
complete -c vpsml -n "__vpsml_once flag help 'h' render job" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render job" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render job" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render pod
complete -c vpsml -n "__vpsml_once value image '' render pod" -l image -x -d 'container image (required)'
complete -c vpsml -n "__vpsml_once value container '' render pod" -l container -x -d 'the container\'s name (default: the object\'s)'
complete -c vpsml -n "__vpsml_once flag shell '' render pod" -l shell -d 'COMMAND is one string that /bin/sh reads'
complete -c vpsml -n "__vpsml_once flag keep-entrypoint '' render pod" -l keep-entrypoint -d 'COMMAND is arguments to the image\'s entrypoint, not a replacement for it'
complete -c vpsml -n "__vpsml_once value working-dir '' render pod" -l working-dir -x -d 'folder in the container in which COMMAND starts'
complete -c vpsml -n "__vpsml_once value image-pull-policy '' render pod" -l image-pull-policy -x -a 'Always IfNotPresent Never' -d 'Always, IfNotPresent or Never'
complete -c vpsml -n "__vpsml_in render pod" -l image-pull-secret -x -d 'Secret with the registry\'s password'
complete -c vpsml -n "__vpsml_once value service-account '' render pod" -l service-account -x -d 'ServiceAccount that the pod runs as'
complete -c vpsml -n "__vpsml_once value grace '' render pod" -l grace -x -d 'time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
complete -c vpsml -n "__vpsml_once value gpus '' render pod" -l gpus -x -d 'GPUs to hold; the pod then runs on GPU nodes alone'
complete -c vpsml -n "__vpsml_in render pod" -l gpu-type -x -d 'hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
complete -c vpsml -n "__vpsml_once value gpu-resource '' render pod" -l gpu-resource -x -d 'what a GPU is called (default: nvidia.com/gpu)'
complete -c vpsml -n "__vpsml_once value cpu '' render pod" -l cpu -x -d 'CPUs to request: 2, 0.5 or 500m'
complete -c vpsml -n "__vpsml_once value memory '' render pod" -l memory -x -d 'memory to request, as 4Gi; the limit too, unless --memory-limit is given'
complete -c vpsml -n "__vpsml_once value cpu-limit '' render pod" -l cpu-limit -x -d 'CPUs it may use at most (default: what is idle)'
complete -c vpsml -n "__vpsml_once value memory-limit '' render pod" -l memory-limit -x -d 'memory above which it is killed'
complete -c vpsml -n "__vpsml_once value shm '' render pod" -l shm -x -d 'size of /dev/shm, counted as memory; 0: the runtime\'s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
complete -c vpsml -n "__vpsml_in render pod" -s e -l env -x -d 'variable; without a value, the one it has here'
complete -c vpsml -n "__vpsml_in render pod" -l env-file -r -F -d 'variables from lines NAME=VALUE; --env wins over them'
complete -c vpsml -n "__vpsml_in render pod" -l secret -x -d 'variable with the value of a Secret\'s key'
complete -c vpsml -n "__vpsml_in render pod" -l data -x -d 'mount a PersistentVolumeClaim'
complete -c vpsml -n "__vpsml_in render pod" -l data-dir -x -d 'mount a folder of the node'
complete -c vpsml -n "__vpsml_in render pod" -l nfs -x -d 'mount an NFS export'
complete -c vpsml -n "__vpsml_once value priority '' render pod" -l priority -x -a '(__vpsml_ask)' -d 'PriorityClass: who goes first when not all fit'
complete -c vpsml -n "__vpsml_once value queue '' render pod" -l queue -x -d 'Kueue\'s LocalQueue to wait in'
complete -c vpsml -n "__vpsml_once flag cpu-only '' render pod" -l cpu-only -d 'never run on a GPU node (default: rather not)'
complete -c vpsml -n "__vpsml_in render pod" -l selector -x -d 'run on nodes with this label alone'
complete -c vpsml -n "__vpsml_in render pod" -l affinity -x -d 'run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
complete -c vpsml -n "__vpsml_in render pod" -l toleration -x -d 'ignore this taint; all: every taint'
complete -c vpsml -n "__vpsml_once value runtime-class '' render pod" -l runtime-class -x -d 'RuntimeClass of the pod'
complete -c vpsml -n "__vpsml_once value time '' render pod" -l time -x -d 'end it after this time: 90m, 2h30m or D-HH:MM:SS'
complete -c vpsml -n "__vpsml_in render pod" -l label -x -d 'label of the object and its pods'
complete -c vpsml -n "__vpsml_in render pod" -l annotation -x -d 'annotation of the object and its pods'
complete -c vpsml -n "__vpsml_once value namespace 'n' render pod" -s n -l namespace -x -d 'namespace of the object'
complete -c vpsml -n "__vpsml_once value output 'o' render pod" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name (default: yaml)'
complete -c vpsml -n "__vpsml_once flag help 'h' render pod" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render pod" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render pod" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render deployment
complete -c vpsml -n "__vpsml_once value image '' render deployment" -l image -x -d 'container image (required)'
complete -c vpsml -n "__vpsml_once value container '' render deployment" -l container -x -d 'the container\'s name (default: the object\'s)'
complete -c vpsml -n "__vpsml_once flag shell '' render deployment" -l shell -d 'COMMAND is one string that /bin/sh reads'
complete -c vpsml -n "__vpsml_once flag keep-entrypoint '' render deployment" -l keep-entrypoint -d 'COMMAND is arguments to the image\'s entrypoint, not a replacement for it'
complete -c vpsml -n "__vpsml_once value working-dir '' render deployment" -l working-dir -x -d 'folder in the container in which COMMAND starts'
complete -c vpsml -n "__vpsml_once value image-pull-policy '' render deployment" -l image-pull-policy -x -a 'Always IfNotPresent Never' -d 'Always, IfNotPresent or Never'
complete -c vpsml -n "__vpsml_in render deployment" -l image-pull-secret -x -d 'Secret with the registry\'s password'
complete -c vpsml -n "__vpsml_once value service-account '' render deployment" -l service-account -x -d 'ServiceAccount that the pod runs as'
complete -c vpsml -n "__vpsml_once value grace '' render deployment" -l grace -x -d 'time between SIGTERM and SIGKILL, to save a checkpoint (default: 30s)'
complete -c vpsml -n "__vpsml_once value gpus '' render deployment" -l gpus -x -d 'GPUs to hold; the pod then runs on GPU nodes alone'
complete -c vpsml -n "__vpsml_in render deployment" -l gpu-type -x -d 'hold GPUs of one of these products, as the node label nvidia.com/gpu.product has them'
complete -c vpsml -n "__vpsml_once value gpu-resource '' render deployment" -l gpu-resource -x -d 'what a GPU is called (default: nvidia.com/gpu)'
complete -c vpsml -n "__vpsml_once value cpu '' render deployment" -l cpu -x -d 'CPUs to request: 2, 0.5 or 500m'
complete -c vpsml -n "__vpsml_once value memory '' render deployment" -l memory -x -d 'memory to request, as 4Gi; the limit too, unless --memory-limit is given'
complete -c vpsml -n "__vpsml_once value cpu-limit '' render deployment" -l cpu-limit -x -d 'CPUs it may use at most (default: what is idle)'
complete -c vpsml -n "__vpsml_once value memory-limit '' render deployment" -l memory-limit -x -d 'memory above which it is killed'
complete -c vpsml -n "__vpsml_once value shm '' render deployment" -l shm -x -d 'size of /dev/shm, counted as memory; 0: the runtime\'s 64 MB (default: with GPUs half the memory limit, or 1Gi)'
complete -c vpsml -n "__vpsml_in render deployment" -s e -l env -x -d 'variable; without a value, the one it has here'
complete -c vpsml -n "__vpsml_in render deployment" -l env-file -r -F -d 'variables from lines NAME=VALUE; --env wins over them'
complete -c vpsml -n "__vpsml_in render deployment" -l secret -x -d 'variable with the value of a Secret\'s key'
complete -c vpsml -n "__vpsml_in render deployment" -l data -x -d 'mount a PersistentVolumeClaim'
complete -c vpsml -n "__vpsml_in render deployment" -l data-dir -x -d 'mount a folder of the node'
complete -c vpsml -n "__vpsml_in render deployment" -l nfs -x -d 'mount an NFS export'
complete -c vpsml -n "__vpsml_once value priority '' render deployment" -l priority -x -a '(__vpsml_ask)' -d 'PriorityClass: who goes first when not all fit'
complete -c vpsml -n "__vpsml_once value queue '' render deployment" -l queue -x -d 'Kueue\'s LocalQueue to wait in'
complete -c vpsml -n "__vpsml_once flag cpu-only '' render deployment" -l cpu-only -d 'never run on a GPU node (default: rather not)'
complete -c vpsml -n "__vpsml_in render deployment" -l selector -x -d 'run on nodes with this label alone'
complete -c vpsml -n "__vpsml_in render deployment" -l affinity -x -d 'run on nodes where RULE holds: KEY=V,V, KEY!=V, KEY, !KEY, KEY>N, KEY<N; with @WEIGHT (1 to 100) behind it, prefer them'
complete -c vpsml -n "__vpsml_in render deployment" -l toleration -x -d 'ignore this taint; all: every taint'
complete -c vpsml -n "__vpsml_once value runtime-class '' render deployment" -l runtime-class -x -d 'RuntimeClass of the pod'
complete -c vpsml -n "__vpsml_once value replicas '' render deployment" -l replicas -x -d 'pods to run (default: 1)'
complete -c vpsml -n "__vpsml_once value autoscale '' render deployment" -l autoscale -x -d 'let an autoscaler choose between so many pods'
complete -c vpsml -n "__vpsml_once value cpu-target '' render deployment" -l cpu-target -x -d 'CPU use to keep to: 50% of the request, or 500m a pod'
complete -c vpsml -n "__vpsml_once value memory-target '' render deployment" -l memory-target -x -d 'memory use to keep to: 80% of the request, or 200Mi a pod'
complete -c vpsml -n "__vpsml_in render deployment" -l label -x -d 'label of the object and its pods'
complete -c vpsml -n "__vpsml_in render deployment" -l annotation -x -d 'annotation of the object and its pods'
complete -c vpsml -n "__vpsml_once value namespace 'n' render deployment" -s n -l namespace -x -d 'namespace of the object'
complete -c vpsml -n "__vpsml_once value output 'o' render deployment" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name (default: yaml)'
complete -c vpsml -n "__vpsml_once flag help 'h' render deployment" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render deployment" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render deployment" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render affinity
complete -c vpsml -n "__vpsml_once value output 'o' render affinity" -s o -l output -x -a 'yaml json' -d 'yaml or json (default: yaml)'
complete -c vpsml -n "__vpsml_once flag help 'h' render affinity" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render affinity" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render affinity" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render hpa
complete -c vpsml -n "__vpsml_once value name '' render hpa" -l name -x -d 'the autoscaler\'s name (default: its target\'s)'
complete -c vpsml -n "__vpsml_once value min '' render hpa" -l min -x -d 'replicas at least (default: 1)'
complete -c vpsml -n "__vpsml_once value max '' render hpa" -l max -x -d 'replicas at most (required)'
complete -c vpsml -n "__vpsml_once value cpu-target '' render hpa" -l cpu-target -x -d 'CPU use to keep to: 50% of the request, or 500m a pod'
complete -c vpsml -n "__vpsml_once value memory-target '' render hpa" -l memory-target -x -d 'memory use to keep to: 80% of the request, or 200Mi a pod'
complete -c vpsml -n "__vpsml_once value namespace 'n' render hpa" -s n -l namespace -x -d 'namespace of both'
complete -c vpsml -n "__vpsml_once value api-version '' render hpa" -l api-version -x -a 'autoscaling/v2 autoscaling/v2beta2 autoscaling/v1' -d 'autoscaling/v2, v2beta2 or v1 (default: autoscaling/v2, Kubernetes 1.23 and later)'
complete -c vpsml -n "__vpsml_once value output 'o' render hpa" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name (default: yaml)'
complete -c vpsml -n "__vpsml_once flag help 'h' render hpa" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render hpa" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render hpa" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml render priority
complete -c vpsml -n "__vpsml_once value value '' render priority" -l value -x -d 'higher goes first; at most 1000000000, and 0 is what pods without a class have'
complete -c vpsml -n "__vpsml_once flag preempt '' render priority" -l preempt -d 'evict pods of lower classes (default: only go first)'
complete -c vpsml -n "__vpsml_once value description '' render priority" -l description -x -d 'what the class is for'
complete -c vpsml -n "__vpsml_once value output 'o' render priority" -s o -l output -x -a 'yaml json name' -d 'yaml, json or name (default: yaml)'
complete -c vpsml -n "__vpsml_once flag help 'h' render priority" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' render priority" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in render priority" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml top
complete -c vpsml -n "__vpsml_once flag once '' top" -l once -d 'show one picture and end, as without a terminal'
complete -c vpsml -n "__vpsml_once value output 'o' top" -s o -l output -x -a 'table json csv prometheus' -d 'one picture as table, json, csv (a line a GPU) or prometheus (default: table)'
complete -c vpsml -n "__vpsml_once value view '' top" -l view -x -a 'nodes gpus pods jobs queue alerts' -d 'begin with nodes, gpus, pods, jobs, queue or alerts (default: nodes)'
complete -c vpsml -n "__vpsml_once value filter '' top" -l filter -x -d 'show rows of that view for which this holds: \'gpu<5 & alloc>0\''
complete -c vpsml -n "__vpsml_once value sort '' top" -l sort -x -d 'sort that view by this field'
complete -c vpsml -n "__vpsml_once flag reverse '' top" -l reverse -d 'with --sort: the other way round'
complete -c vpsml -n "__vpsml_once value interval '' top" -l interval -x -d 'ask the cluster so often, 2s to 1m (default: 5s)'
complete -c vpsml -n "__vpsml_once flag ascii '' top" -l ascii -d 'draw with ASCII alone, whatever the locale says'
complete -c vpsml -n "__vpsml_once value record '' top" -l record -r -F -d 'add each picture to this file, a line of JSON each'
complete -c vpsml -n "__vpsml_once value replay '' top" -l replay -r -F -d 'show what --record wrote; no cluster is asked'
complete -c vpsml -n "__vpsml_once value namespace 'n' top" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' top" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' top" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' top" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in top" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' top" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' top" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' top" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' top" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' top" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in top" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml nodes
complete -c vpsml -n "__vpsml_once value output 'o' nodes" -s o -l output -x -a 'table wide json yaml name csv' -d 'table, wide, json, yaml, name or csv (default: table)'
complete -c vpsml -n "__vpsml_once value namespace 'n' nodes" -s n -l namespace -x -a '(__vpsml_ask)' -d 'namespace to work in (default: the context\'s)'
complete -c vpsml -n "__vpsml_once value context '' nodes" -l context -x -a '(__vpsml_ask)' -d 'context of the kubeconfig (default: its current one)'
complete -c vpsml -n "__vpsml_once value kubeconfig '' nodes" -l kubeconfig -r -F -d 'kubeconfig (default: $KUBECONFIG, else ~/.kube/config)'
complete -c vpsml -n "__vpsml_once value as '' nodes" -l as -x -d 'act as this user'
complete -c vpsml -n "__vpsml_in nodes" -l as-group -x -d 'act as a member of this group'
complete -c vpsml -n "__vpsml_once value as-uid '' nodes" -l as-uid -x -d 'act as the user with this uid'
complete -c vpsml -n "__vpsml_once value request-timeout '' nodes" -l request-timeout -x -d 'give up a request after this time (default: 30s, lists 1m)'
complete -c vpsml -n "__vpsml_once flag allow-http '' nodes" -l allow-http -d 'send credentials to a server that is not https'
complete -c vpsml -n "__vpsml_once flag help 'h' nodes" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' nodes" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in nodes" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml completion
complete -c vpsml -n '__vpsml_room 1 completion' -x -a 'bash zsh fish'
complete -c vpsml -n "__vpsml_once flag help 'h' completion" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' completion" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in completion" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml help
complete -c vpsml -n '__vpsml_room 4 help' -x -a '(__vpsml_verbs (__vpsml_words))'
complete -c vpsml -n "__vpsml_once flag help 'h' help" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' help" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in help" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'

# vpsml version
complete -c vpsml -n "__vpsml_once flag help 'h' version" -s h -l help -d 'show this help'
complete -c vpsml -n "__vpsml_once flag quiet 'q' version" -s q -l quiet -d 'show no warnings'
complete -c vpsml -n "__vpsml_in version" -s v -l verbose -d 'show requests and steps on standard error; twice: more of each'
