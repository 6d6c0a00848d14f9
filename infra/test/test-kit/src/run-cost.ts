import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { procFile, workspaceRoot } from '@tds/servers';
import { readTally } from '@tds/servers/testing';

/** What a whole run may cost; only ever lowered. Beside the budget of lines. */
const limitsFile = path.join(workspaceRoot, 'infra/measure/shape/loop.json');

export type Cost = Readonly<
  Record<'cpuSeconds' | 'pageFaults' | 'systems' | 'databases' | 'connections', number>
>;

/** Of this machine since it was started: turbo does not pass on what its tasks have used. Page faults are 0 where there is no /proc. */
const machineUse = () => {
  const times = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq);
  const faults = /^pgfault (\d+)$/m.exec(procFile('', 'vmstat'))?.[1];
  return { cpuSeconds: times.reduce((sum, ms) => sum + ms, 0) / 1_000, pageFaults: Number(faults ?? 0) };
};

/** Measures a run from now on. What else the machine does meanwhile counts, too. */
export const startCost = (): (() => Cost) => {
  const before = machineUse();
  return () => {
    const { cpuSeconds, pageFaults } = machineUse();
    return {
      cpuSeconds: cpuSeconds - before.cpuSeconds,
      pageFaults: pageFaults - before.pageFaults,
      ...readTally(),
    };
  };
};

/** What a busy or slow machine takes longer for, on a quiet machine of 2026 with two cores. */
const QUIET_MS = 120;
const BLOCKS = 96;
const BLOCK_BYTES = 1_048_576;

/** From 1 to 2: how much longer than there the same hashes and fresh pages of memory take here. */
export const measureSlowness = (): number => {
  const startedAt = performance.now();
  for (let block = 0; block < BLOCKS; block += 1)
    createHash('sha256').update(Buffer.alloc(BLOCK_BYTES, block)).digest();
  return Math.min(Math.max((performance.now() - startedAt) / QUIET_MS, 1), 2);
};

/** Those that do not depend on the machine fail a run beyond their limit. Each look of a wait is a connection: a slow machine makes more. */
const COUNTED = ['systems', 'databases'] as const;

/** One line for people, and what is beyond its limit. */
export const describeCost = (
  cost: Cost,
  wallSeconds: number,
  limits: Cost = JSON.parse(readFileSync(limitsFile, 'utf8')),
): { readonly line: string; readonly beyond: readonly string[] } => {
  const busy = cost.cpuSeconds / wallSeconds / availableParallelism();
  const of = (name: keyof Cost, unit: string) => `${Math.round(cost[name])} ${unit} (limit ${limits[name]})`;
  const line = [
    of('cpuSeconds', 's of CPU'),
    `${Math.round(wallSeconds)} s, ${Math.round(100 * busy)} % of ${availableParallelism()} cores`,
    ...COUNTED.map((name) => of(name, name)),
    of('connections', 'connections'),
    of('pageFaults', 'page faults'),
  ].join(', ');
  return { line, beyond: COUNTED.filter((name) => cost[name] > limits[name]) };
};
