import path from 'node:path';
import { findOrUnpack } from '../debian-packages.ts';
import { toolsDir } from '../paths.ts';
import { runCommand } from '../processes.ts';
import { isExecutable } from '../server-versions.ts';

/** The oldest kustomize inside that merges what our overlays merge. */
const OLDEST_MINOR = 27;
/** Debian 12 has 1.20; the program of Debian 13 runs there as well. */
const RELEASE = 'trixie';
const unpackedDir = path.join(toolsDir, 'kubectl');

const isNewEnough = async (command: string): Promise<boolean> => {
  if (!isExecutable(command)) return false;
  const output = await runCommand({ command, args: ['version', '--client'] }).catch(() => '');
  return Number(/v1\.(\d+)/.exec(output)?.[1] ?? 0) >= OLDEST_MINOR;
};

const find = async (): Promise<string | undefined> => {
  const dirs = [...(process.env.PATH ?? '').split(path.delimiter), path.join(unpackedDir, 'usr/bin')];
  for (const dir of dirs.filter(path.isAbsolute)) {
    const command = path.join(dir, 'kubectl');
    if (await isNewEnough(command)) return command;
  }
  return undefined;
};

/** kubectl, on PATH or unpacked from Debian's package; rejects with a sentence if it is missing or too old. */
export const findKubectl = (): Promise<string> =>
  findOrUnpack(find, {
    label: `kubectl 1.${OLDEST_MINOR} or newer`,
    ...{ packages: ['kubectl'], dir: unpackedDir, release: RELEASE },
    install: 'https://kubernetes.io/docs/tasks/tools; the one on PATH is used',
  });
