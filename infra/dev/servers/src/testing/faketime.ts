import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOrUnpack } from '../debian-packages.ts';
import { toolsDir } from '../paths.ts';

const unpackedDir = path.join(toolsDir, 'faketime');

/** The library of Debian's package, installed or unpacked. */
const find = (): string | undefined =>
  globSync(['', unpackedDir].map((root) => `${root}/usr/lib/*/faketime/libfaketime.so.1`))[0];

/**
 * A copy without its `epoll_wait`: while that waits, signal handlers get the true time, so that Postgres takes every timeout
 * (of locks, of statements, of deadlocks) for one that is not due yet.
 */
const withTimeouts = (library: string): string => {
  const copy = path.join(unpackedDir, 'libfaketime-with-timeouts.so');
  mkdirSync(unpackedDir, { recursive: true });
  const symbols = readFileSync(library, 'latin1').replace('\0epoll_wait\0', '\0epoll_none\0');
  // Running servers have the last copy in their memory: one that is written over kills them.
  writeFileSync(`${copy}.${process.pid}`, symbols, { encoding: 'latin1', mode: 0o755 });
  renameSync(`${copy}.${process.pid}`, copy);
  return copy;
};

/** What libfaketime reads: the calendar is off, but timers and the times of files are not. */
export const faketimeSettings = (library: string, offsetMs: number): NodeJS.ProcessEnv => ({
  LD_PRELOAD: library,
  FAKETIME: `${offsetMs < 0 ? '-' : '+'}${(Math.abs(offsetMs) / 1_000).toFixed(3)}`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
});

/** The environment of a program whose calendar is off by `offsetMs`; rejects with a sentence if libfaketime is missing. */
export const shiftedClock = async (offsetMs: number): Promise<NodeJS.ProcessEnv> => {
  const [label, install] = ['libfaketime', 'apt-get install libfaketime'];
  const library = await findOrUnpack(find, { label, packages: [label], dir: unpackedDir, install });
  return faketimeSettings(withTimeouts(library), offsetMs);
};
