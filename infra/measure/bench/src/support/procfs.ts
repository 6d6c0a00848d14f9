import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { procFile, statFields } from '@tds/servers';
import { sum } from '../benchmark.ts';

/** Figures of processes from `/proc`. On systems other than Linux every figure is 0. */

const MICROSECONDS_PER_TICK = 10_000;
const KIB = 1_024;
// Of the fields behind the command's name, which may hold blanks itself.
const PARENT = 1;
const OWN_TIMES = [11, 12];
const TIMES_WITH_ENDED_CHILDREN = [11, 12, 13, 14];

const readTimes = (pid: number, fields: readonly number[]): number => {
  const all = statFields(pid);
  return sum(fields.map((field) => Number(all[field] ?? 0))) * MICROSECONDS_PER_TICK;
};

const listPids = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** The process and everything below it. */
export const processTree = (root: number): number[] => {
  const parents = listPids().map((pid) => [pid, Number(statFields(pid)[PARENT])] as const);
  const below = (parent: number): number[] =>
    parents.filter(([, parentPid]) => parentPid === parent).flatMap(([pid]) => [pid, ...below(pid)]);
  return [root, ...below(root)];
};

/** Microseconds of CPU that these processes have used. */
export const cpuMicros = (pids: readonly number[]): number => sum(pids.map((pid) => readTimes(pid, OWN_TIMES)));

/** Microseconds of CPU of a process and all that it has started, ended or not: for Postgres and its backends. */
export const treeCpuMicros = (root: number): number =>
  sum(processTree(root).map((pid) => readTimes(pid, TIMES_WITH_ENDED_CHILDREN)));

const readStatusBytes =
  (pattern: RegExp) =>
  (pid: number): number =>
    Number(pattern.exec(procFile(pid, 'status'))?.[1] ?? 0) * KIB;

export const rssBytes = readStatusBytes(/^VmRSS:\s+(\d+)/m);
/** With its part of what processes share. */
export const pssBytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(procFile(pid, 'smaps_rollup'))?.[1] ?? 0) * KIB;
/** Memory that no other process shares. */
export const privateBytes = readStatusBytes(/^RssAnon:\s+(\d+)/m);

export const isNode = (pid: number): boolean => {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`)) === path.basename(process.execPath);
  } catch {
    return false; // it has ended
  }
};
