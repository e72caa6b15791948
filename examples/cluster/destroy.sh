#!/bin/sh
# Destroys a cluster, however much of it there is. Its tokens stay, so that nobody late brings it back.
. "${0%/*}/cloud.sh"

remove workers
remove control-plane
remove network
