#!/bin/sh
# Two workers, one of which is killed while it creates a cluster; the other one goes on where it was. It takes about half
# a minute, has a store of its own, and leaves nothing behind.
#
# INTERLOCK names the command; otherwise it is that of this checkout, which is built first if need be.
set -eu
here=$(CDPATH='' cd -- "${0%/*}" && pwd -P)
interlock=${INTERLOCK:-$here/../../interlock}

place=$(mktemp -d)
chmod 755 "$place" # as root the store runs as another user, who has to pass through
export INTERLOCK_HOME="$place/store" INTERLOCK_STORE='' INTERLOCK_USER=alice
one='' two=''

leave() {
  for worker in $one $two; do kill -KILL "$worker" 2>/dev/null || :; done
  "$interlock" store stop >/dev/null 2>&1 || :
  rm -rf "$place"
}
trap leave EXIT
trap 'exit 130' INT TERM

say() { printf '\n== %s\n' "$*"; }
indented() { while IFS= read -r line; do printf '   %s\n' "$line"; done; }

# Until that word is in that file; nothing here takes a minute.
await() {
  for _ in $(seq 300); do
    grep -q -- "$1" "$2" 2>/dev/null && return 0
    sleep 0.2
  done
  echo "demo: waited in vain for '$1'; the workers said:" >&2
  cat "$place"/*.log >&2
  exit 1
}

# The declarations of this directory, only less patient: what is left alone here for minutes is to be shown in seconds.
mkdir "$place/declared"
cp "$here"/*.sh "$place/declared"
sed 's/first: 5m, longest: 30m/first: 1s, longest: 1s/; s/timeout: 90m/lease: 5s/' \
  "$here/cluster.yaml" >"$place/declared/cluster.yaml"

say 'A store, and two workers that can create clusters'
"$interlock" worker -d "$place/declared/cluster.yaml" 2>"$place/one.log" &
one=$!
await 'at once' "$place/one.log"
"$interlock" worker -d "$place/declared/cluster.yaml" 2>"$place/two.log" &
two=$!
await 'at once' "$place/two.log"
"$interlock" workers list | indented

say 'Alice registers a cluster and asks for it to be created; each step takes two seconds'
"$interlock" resources register clusters/blue --lifecycle cluster \
  --field name=blue --field platform=aws --field base_domain=example.com 2>&1 | indented
{
  set +e
  "$interlock" executions submit CREATE clusters/blue -p CLOUD="$place/cloud" -p PAUSE=2 --follow 2>&1
  echo "exit code $?"
} | tee "$place/created" | indented &
following=$!
await 'network' "$place/created"

say 'In the middle of it: who works on the cluster?'
"$interlock" locks status clusters/blue | tee "$place/holder" | indented
if grep -q ":$one:" "$place/holder"; then killed=$one; else killed=$two; fi

say "kill -KILL $killed, the worker that creates it. Nobody else may start before its lease of 5 seconds is over"
kill -KILL "$killed"
"$interlock" why clusters/blue --workflow DESTROY 2>&1 | indented || :

say 'The lease ends; the other worker is given the lock with a higher token, and goes on'
wait "$following"

say 'The cluster, and how it came to be'
"$interlock" resources show clusters/blue | indented
"$interlock" executions list --target clusters/blue | indented
"$interlock" locks history clusters/blue | indented

say 'Has anybody changed what the audit trail says?'
"$interlock" audit verify 2>&1 | indented
grep -q 'exit code 0' "$place/created"
