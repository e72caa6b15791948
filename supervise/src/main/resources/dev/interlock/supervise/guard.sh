# The guard of a supervised command: kills the command's process tree when the launcher no longer can.
# POSIX sh; needs sleep, and grep, tr and /proc on Linux, or date and ps elsewhere.
#
#   $0  interlock-guard:ID, by which the guard of an enclosing run learns that ID belongs to its tree
#   $1  how the tree is found: tag or ps
#   $2  the launcher's pid
#
# Standard input, one request a line from the launcher; its end means that the launcher is dead.
#   until CS GRACE     the whole tree must be dead when the boot clock shows CS; both in 1/100 s
#   command PID GROUP  ps only: the command, and its process group if it has one of its own
#   look               ps only: remember which processes belong to the command now
#   stop               stop the tree
#   end                the command has ended: kill what it left behind, answer, go
# Standard output: to the first until "ready"; to end "gone LEFT ALIVE", and " late" behind it if the time had run out.

ids=${0##*:} how=$1 launcher=$2
slack=20 deadline= grace=0 timer= late= tree= command= group= known= ended=
trap '' HUP INT QUIT TERM USR1 USR2 TSTP TTIN TTOU PIPE
unset guard

# The boot clock, which goes on while the host sleeps. Elsewhere the wall clock, rounded up: rather early than late.
now() {
  if [ "$how" = tag ]; then
    read -r up idle < /proc/uptime
    cs=${up%.*}${up#*.}
  else
    cs=$(($(date +%s 2> /dev/null) + 1))00
  fi
}

doze() { sleep "0.$1" 2> /dev/null || sleep 1; }

# Sets $tree to the living processes of the command.
find_tree() {
  case $how in
    tag) by_tag ;;
    ps) by_ps ;;
  esac
}

# The limit of file locks survives setsid, double forks and env -i. The environment is asked only when no limit answers:
# reading it can hang on a process that hangs in the kernel. The last look is for a process that forked and went while
# the first one passed by.
by_tag() {
  while :; do
    tree=
    anyone || return 0
    for look in limited marked limited; do
      living $($look)
      [ -z "$tree" ] || break
    done
    [ -n "$tree" ] && nested || return 0
  done
}

# Mostly nobody is left, which this finds out with two processes instead of six.
anyone() { somebody || somebody; }
somebody() {
  grep -qszE -e "Max file locks +($ids) " -e "^INTERLOCK_RUN_ID=($ids)$" /proc/[0-9]*/limits /proc/[0-9]*/environ
}
limited() { exec grep -lsE "^Max file locks +($ids) " /proc/[0-9]*/limits; }
marked() { exec grep -lszE "^INTERLOCK_RUN_ID=($ids)$" /proc/[0-9]*/environ; }

# A zombie still shows its limits, but it is dead. The launcher shows the tag at the moment it starts the command.
living() {
  tree='' files=
  for file; do files="$files ${file%/*}/status"; done
  [ -z "$files" ] || for file in $(grep -ls '^State:.[^ZX]' $files); do
    file=${file#/proc/} pid=${file%/*}
    [ "$pid" = "$launcher" ] || tree="$tree $pid"
  done
}

# A run inside this one has a tag of its own, which its guard, a process of this tree, bears in its name.
nested() {
  before=$ids files=
  for pid in $tree; do files="$files /proc/$pid/cmdline"; done
  for id in $(grep -hoszE '^interlock-guard:[0-9]+$' $files | tr -cs 0-9 ' '); do
    case "|$ids|" in *"|$id|"*) ;; *) ids="$ids|$id" ;; esac
  done
  [ "$ids" != "$before" ]
}

# The command, its group, what was known before and still lives, and their children, until no more are found.
by_ps() {
  table=$(ps -A -o pid= -o ppid= -o pgid= -o stat=)
  before=none
  while [ "$known" != "$before" ]; do
    before=$known
    known=$(echo "$table" | while read -r pid parent pgid stat; do
      case $stat in Z*) continue ;; esac
      case " $command $before " in
        *" $pid "* | *" $parent "*) echo "$pid" ;;
        *) [ "$pgid" != "$group" ] || echo "$pid" ;;
      esac
    done)
    known=$(echo $known)
  done
  tree=$known
}

# TERM, grace unless the deadline is nearer, KILL until nobody is left. What cannot be killed stays in $tree.
stop_tree() {
  find_tree
  [ -n "$tree" ] || return 0
  found=yes
  kill -TERM $tree
  kill -CONT $tree
  now
  stop=$((cs + grace))
  [ "$stop" -lt $((deadline - slack)) ] || stop=$((deadline - slack))
  while [ -n "$tree" ] && now && [ "$cs" -lt "$stop" ]; do
    doze 05
    find_tree
  done
  round=0
  while [ -n "$tree" ] && [ "$round" -lt 70 ]; do
    kill -KILL $tree
    round=$((round + 1))
    [ "$round" -lt 20 ] || doze 1
    find_tree
  done
} 2> /dev/null

# In the background, for standard error may be a pipe that nobody reads.
say() { [ -z "$found" ] || echo "interlock: $1; the command was stopped" >&2 & }

# A timer besides the reader, because read cannot be given a time. It outlives the guard: when only the launcher is left
# it goes on until the deadline (the launcher ends it when it has another guard), when neither is left it acts at once.
arm() {
  (
    nap='' found='' dismissed=
    trap '[ -z "$nap" ] || kill -KILL "$nap" 2> /dev/null; exit 0' ALRM
    while now && left=$((deadline - grace - slack - cs)) && [ "$left" -gt 0 ] && ! alone; do
      case $left in
        ?) doze "0$left" ;;
        ??) doze "$left" ;;
        *)
          sleep 1 2> /dev/null & nap=$!
          wait "$nap"
          nap=
          ;;
      esac
    done
    trap 'dismissed=yes' ALRM
    stop_tree
    [ -n "$ended" ] || say 'the lease ran out'
    trap 'exit 7' ALRM
    [ -z "$dismissed" ] || exit 7
    # Whatever appears from now on came too late, such as a command started by a launcher that was frozen.
    until alone; do
      doze 99
      stop_tree
    done
  ) < /dev/null > /dev/null &
  timer=$!
}

alone() { ! kill -0 $$ && ! kill -0 "$launcher"; } 2> /dev/null

# Ends a timer, waiting for it if it is killing; then the command is late for good.
dismiss() {
  [ -n "$1" ] || return 0
  kill -ALRM "$1" 2> /dev/null
  wait "$1" 2> /dev/null
  [ $? -ne 7 ] || late=' late'
}

# There is a timer at any moment, for at any moment the guard may be killed.
prolong() {
  old=$timer
  arm
  dismiss "$old"
  [ -n "$late" ] && [ "$deadline" -ne 0 ] || return 0
  deadline=0
  prolong
}

# What is just ending, such as the reader of a pipe, may do so before it counts as left behind.
clear_up() {
  find_tree
  round=0
  while [ -n "$tree" ] && [ "$round" -lt 5 ]; do
    doze 05
    find_tree
    round=$((round + 1))
  done
  set -- $tree
  left=$#
  [ "$left" -eq 0 ] || stop_tree
  set -- $tree
  alive=$#
}

while read -r request first second; do
  case $request in
    until)
      [ -n "$deadline" ] && ready= || ready=ready
      deadline=$first grace=$second
      prolong
      [ -z "$ready" ] || echo ready 2> /dev/null # a launcher that has gone meanwhile is no news
      ;;
    command) command=$first group=$second ;;
    look) by_ps ;;
    stop) stop_tree ;;
    end)
      # Whether the command was late is settled by now. A timer that fires while its leavings are cleared up, in which time
      # nobody listens to until, only hurries that on.
      ended=yes
      prolong
      verdict=$late
      clear_up
      dismiss "$timer"
      echo "gone $left $alive$verdict" 2> /dev/null
      exit 0
      ;;
  esac
done
[ -n "$deadline" ] || exit 0
found=
stop_tree
dismiss "$timer"
say 'the launcher died'
