#!/bin/sh
# Gives a cluster that many workers.
. "${0%/*}/cloud.sh"

case ${WORKERS:?says how many; give it as a parameter} in
  *[!0-9]*) echo "WORKERS takes a number, not '$WORKERS'" >&2 && exit 64 ;;
esac
if [ ! -e "$cluster/control-plane" ]; then
  echo "$INTERLOCK_TARGET: there is no cluster to scale" >&2
  exit 1
fi
put workers "$WORKERS"
