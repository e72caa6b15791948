#!/bin/sh
# Stands for terraform where there is none: it knows main.tf, and what apply.sh asks of it.
set -eu
shift # -chdir
case $1 in
  init) printf '%s\n' "${2#-backend-config=path=}" >"$TF_DATA_DIR.path" ;;
  plan)
    case ${TF_VAR_subnets:=3} in
      [1-9] | 1[0-6]) printf '%s\n' "$TF_VAR_subnets" >"${2#-out=}" ;;
      *) echo 'Error: A network has 1 to 16 subnets.' >&2 && exit 1 ;;
    esac
    ;;
  apply)
    cp "$2" "$(cat "$TF_DATA_DIR.path")"
    echo "Apply complete! A network with $(cat "$2") subnets."
    ;;
esac
