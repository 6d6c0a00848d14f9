import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from './run-command.ts';

export interface Ids {
  readonly uid: number;
  readonly gid: number;
}

const idsOf = (name: string): Ids | undefined => {
  const passwd = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = passwd.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
};

const ownerOf = (dataDir: string): Ids | undefined => {
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
};

/** The unprivileged user for Postgres, which refuses to run as root. Undefined if this process is not root. */
export const postgresUser = (dataDir: string): Ids | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const ids = ownerOf(dataDir) ?? idsOf('postgres') ?? idsOf('nobody');
  if (!ids)
    throw new Error('Postgres refuses to run as root, and there is neither a user "postgres" nor "nobody".');
  return ids;
};

const everyoneMayEnter = (dir: string): boolean =>
  (statSync(dir).mode & 0o001) !== 0 && (dir === '/' || everyoneMayEnter(path.dirname(dir)));

/**
 * The command as that user. If only root may enter the folders (a clone below /root), this process alone gets the
 * capability to enter them.
 */
export const asPostgresUser = (
  user: Ids | undefined,
  folders: readonly string[],
  wanted: Command,
): Command => {
  if (!user) return wanted;
  if (folders.every((folder) => everyoneMayEnter(realpathSync(folder)))) return { ...wanted, ...user };
  const privileges = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--bounding-set=-all,+dac_override',
  ];
  return { ...wanted, command: 'setpriv', args: [...privileges, wanted.command, ...wanted.args] };
};
