#!/bin/sh
# Every machine has this in its crontab; one of them does it, and nobody does it twice.
#
#   10 2 * * *  /opt/backup/nightly-backup.sh
#
# INTERLOCK_STORE names the PostgreSQL that they share. Whoever comes second is refused, while the first is at work and
# for twelve hours after that, and that is fine: it exits with 0. A backup that fails shows its own exit code.
exec "${INTERLOCK:-interlock}" run --lock backup --cooldown 12h --max-hold 4h --busy-exit-code 0 -- \
  "${BACKUP:-/opt/backup/run}"
