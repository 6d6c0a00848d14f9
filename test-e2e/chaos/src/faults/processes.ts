import { availableParallelism } from 'node:os';
import { type ServiceProcess, until } from '#support';
import { type Harness, processNamed } from '../harness.ts';
import { crashAt, crashTargets } from './crash-plan.ts';
import { exhaustDescriptors } from './descriptors.ts';
import type { Blow, Fault } from './fault.ts';
import { limitMemory } from './memory-limit.ts';
import type { Need } from './probes.ts';

export const workers = [
  'credits-ledger-1',
  'identity-1',
  'transcript-fetcher-1',
  'transcript-fetcher-2',
  'search-1',
] as const;
/** Those behind jobs, webhooks, monitors and purchases; a wrong clock would only make their rows wait. */
export const backWorkers = [
  ...['bulk-orchestrator-1', 'bulk-orchestrator-2', 'archiver-1'],
  ...['monitor-scheduler', 'webhook-dispatcher', 'billing', 'status'].flatMap((name) => [
    `${name}-1`,
    `${name}-2`,
  ]),
];
export const gateway = 'gateway-1';

export const needOf = (target: string): Need => {
  if (target.startsWith('gateway')) return 'gateway';
  if (target.startsWith('identity')) return 'identity';
  if (target.startsWith('search')) return 'search';
  return 'everything';
};

const kill = async (harness: Harness, { target }: { target: string }): Promise<Blow> => {
  const struckAt = harness.history.now();
  await processNamed(harness, target).signal('SIGKILL');
  return { struckAt };
};

/** Less than the load needs within moments. */
const MEMORY_LEFT = 2 * 1_024 * 1_024;

/** Kills it at any point, without asking it to stop: its memory is lost. */
const runOutOfMemory = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const victim = processNamed(harness, target);
  const { pid } = victim;
  if (pid === undefined) return { happened: false };
  const limit = await limitMemory(pid, MEMORY_LEFT);
  const happened = await until(() => victim.pid !== pid, { withinMs: holdMs, everyMs: 25 });
  const struckAt = harness.history.now();
  if (!happened) {
    await victim.signal('SIGKILL');
    await until(() => victim.pid !== pid, { withinMs: 2_000, everyMs: 25 });
  }
  await limit.remove();
  return { struckAt, happened };
};

/** As an orchestrator moves one instance: it may end what it has in hand. */
const stop = async (harness: Harness, { target }: { target: string }): Promise<Blow> => {
  await processNamed(harness, target).restart();
  return {};
};

/**
 * As an orchestrator rolls out a new version: the instances of a service one after the other, and as many services at once as
 * there are cores, because on a cluster each instance has its own.
 */
export const roll = async (processes: readonly ServiceProcess[]): Promise<Blow> => {
  const services = Map.groupBy(processes, ({ service }) => service).values();
  const rollServices = async () => {
    for (const instances of services) for (const instance of instances) await instance.restart();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, rollServices));
  return {};
};

export const processFaults: readonly Fault[] = [
  {
    ...{ id: 'R1', name: 'kill-service', kills: 1, holdMs: 0, quickHoldMs: 0 },
    does: 'kill -9 of one service',
    cachedReads: true,
    needs: needOf,
    targets: [...workers, ...backWorkers],
    run: kill,
  },
  {
    ...{ id: 'R1', name: 'kill-gateway', kills: 1, holdMs: 0, quickHoldMs: 1 },
    does: 'kill -9 of the gateway',
    cachedReads: false,
    forgets: true,
    needs: 'gateway',
    targets: [gateway],
    run: kill,
  },
  {
    ...{ id: 'R2', name: 'crash-point', kills: 2, holdMs: 0, quickHoldMs: 1 },
    does: 'kill -9 by itself between two commits',
    ofProcesses: true,
    cachedReads: true,
    needs: 'everything',
    targets: crashTargets,
    hits: crashTargets.length,
    run: (harness, { target }) => crashAt(harness, target),
  },
  {
    ...{ id: 'R29', name: 'exhaust-descriptors', kills: 0, holdMs: 5_000, quickHoldMs: 1_500 },
    does: 'idle connections take every descriptor of the gateway',
    ofProcesses: true,
    cachedReads: false,
    needs: 'everything',
    targets: [gateway],
    run: exhaustDescriptors,
  },
  {
    ...{ id: 'R29', name: 'run-out-of-memory', kills: 1, holdMs: 20_000, quickHoldMs: 0 },
    does: 'the kernel kills a service that wants more memory than it may have',
    ofProcesses: true,
    cachedReads: true,
    needs: needOf,
    targets: workers,
    run: runOutOfMemory,
  },
  {
    ...{ id: 'R27', name: 'stop-service', kills: 0, holdMs: 0, quickHoldMs: 1 },
    does: 'SIGTERM of one service beside its second instance',
    cachedReads: true,
    needs: needOf,
    targets: backWorkers,
    hits: 4,
    run: stop,
  },
  {
    ...{ id: 'R27', name: 'roll-out', kills: 0, holdMs: 0, quickHoldMs: 1 },
    does: 'SIGTERM of every service, one by one',
    cachedReads: false,
    forgets: true,
    needs: 'everything',
    targets: ['all'],
    run: ({ system }) => roll(system.processes),
  },
];

export const killAll = (processes: number): Fault => ({
  id: 'R3',
  name: 'kill-all',
  does: 'kill -9 of every service at once',
  kills: processes,
  holdMs: 0,
  quickHoldMs: 1,
  cachedReads: false,
  forgets: true,
  needs: 'everything',
  targets: ['all'],
  run: async (harness) => {
    await Promise.all(harness.system.processes.map((each) => each.signal('SIGKILL')));
    // An engine starts a container for each of them, one after the other: what counts is the time from the last.
    return { struckAt: harness.history.now() };
  },
});
