import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { processTree } from './procfs.ts';

const CORES = availableParallelism();
const ALL = `0-${CORES - 1}`;
const FIRST = '0';
const OTHER_CORES = `1-${CORES - 1}`;

const bind = (pids: readonly number[], cores: string): boolean =>
  pids.every((pid) => spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]).status === 0);

const separate = (sides: readonly number[], otherPids: readonly number[]): boolean => {
  if (CORES === 1 || !bind(sides, FIRST)) return false;
  // A process that has ended needs no core.
  for (const pid of otherPids) bind([pid], OTHER_CORES);
  return true;
};

/**
 * Compares two servers on one core that no other process uses; the generator, Redis and the rest share the other cores.
 * Otherwise the scheduler may preempt one server for the generator. Needs Linux, `taskset` and two cores; `note` reports
 * whether it worked.
 */
export const onOwnCore = async <T>(
  sides: readonly number[],
  compare: () => Promise<T>,
): Promise<{ readonly result: T; readonly note: string }> => {
  const otherPids = processTree(process.pid).filter((pid) => !sides.includes(pid));
  const isSeparate = separate(sides, otherPids);
  try {
    const note = isSeparate
      ? `The server under test had one of ${CORES} cores to itself; everything else shared the rest.`
      : 'All processes shared all cores.';
    return { result: await compare(), note };
  } finally {
    if (isSeparate) for (const pid of [...otherPids, ...sides]) bind([pid], ALL);
  }
};
