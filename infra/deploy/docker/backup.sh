#!/bin/bash
# Backs up an installation of docker-compose.yml while it runs: BACKUP_TO=<remote of rclone>:<path> infra/deploy/docker/backup.sh
# A backup is a folder that is named by its time, with the secrets and all databases; it has this name when it is whole.
# Those of more than BACKUP_DAYS (7) days are deleted then. Prometheus reads when the last one ended (alert BackupsFail).
set -euo pipefail
umask 077
: "${BACKUP_TO:?names a remote of rclone and a path, such as backups:transcripts}"
cd "$(dirname "$0")/../../.."
state=.local/backup
secrets=${TDS_SECRETS:-.local/compose}/secrets.json
install -d -m 755 "$state"
exec 9> "$state/lock"
flock --nonblock 9 || { echo 'A backup runs already' >&2; exit 1; }
compose=(docker-compose)
command -v docker-compose > /dev/null || compose=(docker compose)

unfinished=$BACKUP_TO/unfinished
rclone rcat "$unfinished/backup-secrets.json" < "$secrets"
"${compose[@]}" exec -T postgres pg_basebackup --username=postgres --checkpoint=fast --pgdata=- --format=tar --wal-method=fetch |
  gzip | rclone rcat "$unfinished/backup-postgres.tar.gz"
rclone moveto "$unfinished" "$BACKUP_TO/$(date -u +%Y%m%dT%H%M%SZ)"

printf 'machine_backup_timestamp_seconds %s\n' "$(date +%s)" > "$state/new"
chmod 644 "$state/new"
mv "$state/new" "$state/backup.prom"

oldest=$(date -u -d "${BACKUP_DAYS:-7} days ago" +%Y%m%dT%H%M%SZ)
rclone lsf --dirs-only "$BACKUP_TO" | while read -r folder; do
  name=${folder%/}
  if [[ $name =~ ^[0-9]{8}T[0-9]{6}Z$ && $name < $oldest ]]; then rclone purge "$BACKUP_TO/$name"; fi
done
