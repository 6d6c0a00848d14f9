import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { sendSignal } from '@tds/servers';
import { hostPath } from './host.ts';

export type Person = { readonly name: string; readonly id: number; readonly home: string };

export const people: readonly Person[] = [
  { name: 'person', id: 1_000, home: '/home/person' },
  { name: 'root', id: 0, home: '/root' },
];

export type Visit = {
  readonly root: string;
  readonly person: Person;
  /** Where the clone is, as seen from inside. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
};

/** What no program finds out by itself: proxies, and whom this network's certificates come from. */
const network = /^(https?|no)_proxy$|^NODE_EXTRA_CA_CERTS$/i;

const environmentOf = ({ person, env }: Visit): string[] => {
  const inherited = Object.entries(process.env).filter(([name]) => network.test(name));
  const own = { HOME: person.home, PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'dumb', ...env };
  return [...inherited, ...Object.entries(own)].map(([name, value]) => `${name}=${value}`);
};

/** Every step replaces the one before, so that a signal to the process reaches the command itself. */
const script = `
mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && shift_root="$1" || exit 1
user="$2"; folder="$3"; shift 3
exec chroot --userspec="$user" "$shift_root" /usr/bin/env -i -C "$folder" "$@"
`;

/** Runs a command inside, seen from where its mounts are its own and vanish with it. */
export const enter = (visit: Visit): ChildProcessByStdio<null, Readable, Readable> => {
  const { root, person, folder, command } = visit;
  const words = [root, `${person.id}:${person.id}`, folder, ...environmentOf(visit), ...command];
  const args = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'enter', ...words];
  return spawn('unshare', args, { env: { PATH: hostPath }, stdio: ['ignore', 'pipe', 'pipe'] });
};

const rootOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/root`);
  } catch {
    return ''; // gone meanwhile
  }
};

/** Every process that runs inside. */
export const insidersOf = (root: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && rootOf(pid) === root);

/** Ends whatever runs inside, and removes it all. */
export const removeMachine = (root: string): void => {
  for (const pid of insidersOf(root)) sendSignal(pid, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
};
