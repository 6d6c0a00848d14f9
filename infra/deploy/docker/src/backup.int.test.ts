import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';

/** What the script calls of rclone, on folders. */
const RCLONE = `#!/bin/bash
case $1 in
  rcat) mkdir -p "$(dirname "$2")" && cat > "$2" ;;
  moveto) mv "$2" "$3" ;;
  purge) rm -r "$2" ;;
  lsf) cd "$3" && ls -d */ ;;
  *) exit 64 ;;
esac
`;
let dir: string;
let target: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'tds-backup-'));
  target = path.join(dir, 'remote');
  const script = 'infra/deploy/docker/backup.sh';
  mkdirSync(path.join(dir, 'installation/.local/compose'), { recursive: true });
  cpSync(path.join(workspaceRoot, script), path.join(dir, 'installation', script));
  writeFileSync(path.join(dir, 'installation/.local/compose/secrets.json'), '{"a":"secret"}');
  mkdirSync(path.join(dir, 'bin'));
  writeFileSync(path.join(dir, 'bin/rclone'), RCLONE, { mode: 0o755 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs it with a Postgres that streams `copy` and ends with `code`; resolves to its exit code. */
const backUp = (copy: string, code = 0): number | null => {
  const compose = `#!/bin/sh\n[ "$3" = postgres ] && printf '${copy}'\nexit ${code}\n`;
  writeFileSync(path.join(dir, 'bin/docker-compose'), compose, { mode: 0o755 });
  const env = { PATH: `${dir}/bin:${process.env.PATH}`, BACKUP_TO: target };
  return spawnSync(path.join(dir, 'installation/infra/deploy/docker/backup.sh'), { env }).status;
};
const metric = () => path.join(dir, 'installation/.local/backup/backup.prom');
const finished = () => readdirSync(target).filter((name) => /^\d{8}T\d{6}Z$/.test(name));

it('a backup has the secrets and the databases, and Prometheus learns when it ended', () => {
  expect(backUp('all databases')).toBe(0);
  const [name = ''] = finished();
  expect(readFileSync(path.join(target, name, 'backup-secrets.json'), 'utf8')).toBe('{"a":"secret"}');
  const copy = gunzipSync(readFileSync(path.join(target, name, 'backup-postgres.tar.gz')));
  expect(copy.toString()).toBe('all databases');
  const [, seconds] = /^machine_backup_timestamp_seconds (\d+)\n$/.exec(readFileSync(metric(), 'utf8')) ?? [];
  expect(Math.abs(Date.now() / 1_000 - Number(seconds))).toBeLessThan(600);
});

it('a Postgres that breaks off leaves no backup, and deletes none', () => {
  const old = path.join(target, '20200101T000000Z');
  mkdirSync(old, { recursive: true });
  expect(backUp('half of the data', 1)).not.toBe(0);
  expect(finished()).toEqual(['20200101T000000Z']);
  expect(existsSync(metric())).toBe(false);
});

it('a backup deletes those of more than seven days, and nothing else', () => {
  const sixDaysAgo = new Date(Date.now() - 6 * 86_400_000).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const others = ['20200101T000000Z', sixDaysAgo, '20200101', 'of-others'];
  for (const name of others) mkdirSync(path.join(target, name), { recursive: true });
  expect(backUp('all databases')).toBe(0);
  expect(
    readdirSync(target)
      .filter((name) => others.includes(name))
      .toSorted(),
  ).toEqual(['20200101', 'of-others', sixDaysAgo].toSorted());
});
