#!/bin/sh
# Creates a cluster. Asked again after a crash, it goes on where it was.
. "${0%/*}/cloud.sh"

put network 10.0.0.0/16
put control-plane ready
put workers "${WORKERS:-3}"
