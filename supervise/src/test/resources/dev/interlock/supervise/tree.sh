# A command with descendants of every kind, eight of them a sleep. $1 is a number that all have in their command lines.
sleep "600.$1" &
nohup sh -c 'sleep "600.$0" & wait' "$1" > /dev/null 2>&1 &
setsid sleep "600.$1" &
(setsid sh -c 'setsid sleep "600.$0" &' "$1" &)
(env -i "$(command -v setsid)" sh -c 'sleep "600.$0" &' "$1" &)
prlimit --locks=unlimited: setsid sleep "600.$1" &
sh -c 'trap "" TERM; while :; do sleep "600.$0"; done' "$1" &
sleep "600.$1"
