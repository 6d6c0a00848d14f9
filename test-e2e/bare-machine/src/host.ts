import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Tools of the system's administrator are not on everybody's path. */
export const hostPath = [process.env.PATH, '/usr/local/sbin', '/usr/sbin', '/sbin'].join(path.delimiter);

const isThere = (program: string): boolean =>
  hostPath.split(path.delimiter).some((dir) => path.isAbsolute(dir) && existsSync(path.join(dir, program)));

/** A sentence where this machine cannot make another one, null where it can. */
export const whatIsMissing = (): string | null => {
  if (process.platform !== 'linux')
    return 'npm run test:bare-machine needs Linux: it makes a Debian in a folder.';
  const programs = ['debootstrap', 'unshare', 'chroot', 'mount', 'git', 'npm'].filter((name) => !isThere(name));
  const needs = [
    ...(process.getuid?.() === 0 ? [] : ['root, to enter another root folder']),
    ...programs.map((name) => `the program ${name}`),
  ];
  return needs.length === 0 ? null : `npm run test:bare-machine needs ${needs.join(' and ')} on this machine.`;
};

/** Runs a program of this machine to its end. Throws with the end of what it said where it fails. */
export const runHere = (command: string, args: readonly string[]): string => {
  const env = { ...process.env, PATH: hostPath };
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} failed: ${error ?? `${stdout}${stderr}`.slice(-2_000)}`);
};
