import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sleep } from './until.ts';

/** Tools of the system's administrator are not on everybody's path. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const run = (command: string, args: readonly string[]) => promisify(execFile)(command, args, { env });

/** A file system of its own in a file, on which power can be cut and space can end. */
export type DiskImage = {
  /** Remembers what has reached the disk by now. Freeze its writers first. */
  remember(): Promise<void>;
  /** Leaves of the disk what was remembered: as a power cut would. No process may use it. */
  fallBack(): Promise<void>;
  /** Takes what space is left, or releases it. */
  fill(): Promise<void>;
  free(): Promise<void>;
};

/** Another process may have the file system open for a moment longer. */
const unmount = async (dir: string): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await run('umount', [dir]);
      return;
    } catch (error) {
      if (tries === 50) throw error;
      await sleep(100);
    }
  }
};

const fromMountTable = (field: string): string => field.replaceAll('\\040', ' ');

/** Unmounts every image below the folder, also those that an earlier run has left. */
export const unmountBelow = async (dir: string): Promise<void> => {
  if (!existsSync('/proc/mounts')) return;
  const mountPoints = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => fromMountTable(line.split(' ')[1] ?? ''));
  for (const each of mountPoints.filter((place) => place.startsWith(`${dir}${path.sep}`))) await unmount(each);
};

const MEBIBYTE = 1024 * 1024;
/** Without work of its own in the background, which would move the picture that is taken. */
const MKFS = ['-q', '-F', '-m', '0', '-E', 'lazy_itable_init=0,lazy_journal_init=0'];

const makeImage = async (image: string, mebibytes: number): Promise<void> => {
  const file = await open(image, 'w');
  await file.truncate(mebibytes * MEBIBYTE);
  await file.close();
  await run('mkfs.ext4', [...MKFS, image]);
};

/** The kernel may write back meanwhile: then the copy is none of one moment, and is taken again. */
const copyConsistently = async (from: string, to: string): Promise<void> => {
  for (;;) {
    const before = await stat(from, { bigint: true });
    await run('cp', ['--sparse=always', from, to]);
    const after = await stat(from, { bigint: true });
    if (after.mtimeNs === before.mtimeNs) return;
  }
};

const writeUntilFull = async (file: string): Promise<void> => {
  const block = Buffer.alloc(4_096);
  try {
    for (;;) await appendFile(file, block, { flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
};

/** Mounts a new, empty image of `mib` MiB at the folder. It takes no more space than what is written. */
export const mountDiskImage = async (dir: string, mebibytes: number): Promise<DiskImage> => {
  const [image, snapshot, filler] = [`${dir}.img`, `${dir}.remembered.img`, path.join(dir, 'filler')];
  const mount = () => run('mount', ['-o', 'loop', image, dir]);
  await mkdir(dir, { recursive: true });
  await makeImage(image, mebibytes);
  await mount();
  return {
    remember: () => copyConsistently(image, snapshot),
    fallBack: async () => {
      await unmount(dir);
      await rename(snapshot, image);
      await mount();
    },
    fill: async () => {
      const { bavail, bsize } = await statfs(dir);
      await run('fallocate', ['-l', String(bavail * bsize - MEBIBYTE), filler]);
      await writeUntilFull(filler);
    },
    free: () => rm(filler, { force: true }),
  };
};

const TRIAL_MEBIBYTES = 16;

/** Null where disk images can be mounted, otherwise a sentence; found out by mounting one. */
export const findDiskImageProblem = async (): Promise<string | null> => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tds-disk-'));
  try {
    await mountDiskImage(path.join(dir, 'trial'), TRIAL_MEBIBYTES);
    return null;
  } catch {
    return 'skipped: needs root and loop devices';
  } finally {
    await unmountBelow(dir);
    await rm(dir, { recursive: true, force: true });
  }
};
