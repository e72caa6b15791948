#!/bin/sh
# Plans, then applies exactly that plan. The exit code is Terraform's own, which is 1 for a plan that is wrong; 75 says
# that somebody else has locked the state, and that another attempt may help.
set -eu
: "${STATE:?names the directory of the states; give it as a parameter}" "${INTERLOCK_TARGET:?is set by the worker}"
here=$(CDPATH='' cd -- "${0%/*}" && pwd -P)

terraform=terraform
if ! command -v terraform >/dev/null; then
  echo 'apply.sh: there is no terraform on the PATH; stand-in.sh does what it would do with main.tf' >&2
  terraform=$here/stand-in.sh
fi

# A target may have any name; that of its directory is its hash.
place=$STATE/$(printf %s "$INTERLOCK_TARGET" | sha256sum | cut -c 1-32)
mkdir -p "$place"
export TF_DATA_DIR="$place/data" TF_IN_AUTOMATION=1 TF_INPUT=0 TF_CLI_ARGS=-no-color

run() {
  status=0
  "$terraform" -chdir="$here" "$@" 2>"$place/errors" || status=$?
  cat "$place/errors" >&2
  ! grep -q 'Error acquiring the state lock' "$place/errors" || exit 75
  [ "$status" -eq 0 ] || exit "$status"
}

run init -backend-config="path=$place/terraform.tfstate"
run plan -out="$place/plan"
run apply "$place/plan"
