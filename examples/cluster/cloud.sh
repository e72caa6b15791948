# The cloud of this example, read by the scripts beside it: one directory below $CLOUD for each cluster.
#
# A worker may lose its lease and not know it yet. So everything that is written carries the token of its attempt, and
# whoever finds that a later attempt was here leaves it alone.
set -eu
: "${CLOUD:?names the directory that stands for the cloud; give it as a parameter}"
: "${INTERLOCK_TARGET:?is set by the worker}" "${INTERLOCK_TOKEN:?is set by the worker}"

# A target may have any name; that of a directory is its hash.
cluster=$CLOUD/$(printf %s "$INTERLOCK_TARGET" | sha256sum | cut -c 1-32)
mkdir -p "$cluster/tokens"

# The greatest token that was ever seen here.
newest() {
  ls "$cluster/tokens" | sort -n | tail -n 1
}

fence() {
  if [ "$(newest)" -gt "$INTERLOCK_TOKEN" ]; then
    echo "$INTERLOCK_TARGET: token $INTERLOCK_TOKEN is stale, $(newest) has been here; nothing is changed" >&2
    exit 1
  fi
}

# Sets a property, whole or not at all. Setting it again changes nothing. A real cloud takes its time, as PAUSE tells.
put() {
  sleep "${PAUSE:-0}"
  fence
  printf '%s\n' "$2" >"$cluster/.$1.$INTERLOCK_TOKEN"
  mv -f "$cluster/.$1.$INTERLOCK_TOKEN" "$cluster/$1"
  echo "$INTERLOCK_TARGET: $1 = $2"
}

remove() {
  fence
  rm -f "$cluster/$1"
  echo "$INTERLOCK_TARGET: no $1"
}

: >"$cluster/tokens/$INTERLOCK_TOKEN"
fence
