import { readCounter, sleep, until } from '@tds/e2e-support';
import { type Harness, processNamed } from '../harness.ts';
import { crashAt, crashTargets } from './crash-plan.ts';
import { exhaustDescriptors } from './descriptors.ts';
import type { Blow, Fault } from './fault.ts';
import { limitMemory } from './memory-limit.ts';
import { type Need, untilAnswers } from './probes.ts';

export const workers = [
  'credits-ledger-1',
  'identity-1',
  'transcript-fetcher-1',
  'transcript-fetcher-2',
  'search-1',
] as const;
/** Those behind jobs; with a wrong clock they would only make rows wait. */
const jobWorkers = ['bulk-orchestrator-1', 'bulk-orchestrator-2', 'archiver-1'] as const;
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

const freeze = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const victim = processNamed(harness, target);
  await victim.signal('SIGSTOP');
  await sleep(holdMs);
  await victim.signal('SIGCONT');
  return {};
};

const LEASES_LOST = 'tds_task_leases_lost_total';
const SLOW_ENOUGH_MS = 3_000;
const WORK_PER_FREEZE = 12;

/** Tasks are in hand when the worker freezes; when it wakes up, the other one has long finished them. */
const freezeBeyondLease = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const victim = processNamed(harness, target);
  // While circuits are open, as after a fault of the platform, no worker has anything in hand.
  await untilAnswers(harness, 'platform', harness.history.now());
  harness.system.simulator.setLatency(SLOW_ENOUGH_MS);
  const before = (await readCounter(victim, LEASES_LOST)) ?? 0;
  for (let call = 0; call < WORK_PER_FREEZE; call += 1) void harness.traffic.calls.cold();
  await sleep(SLOW_ENOUGH_MS / 2);
  await victim.signal('SIGSTOP');
  harness.system.simulator.setLatency(0);
  await sleep(holdMs);
  await victim.signal('SIGCONT');
  const struckAt = harness.history.now();
  const refused = async () => ((await readCounter(victim, LEASES_LOST)) ?? 0) - before;
  const happened = await until(async () => (await refused()) > 0, { withinMs: 10_000, everyMs: 250 });
  harness.fencings += await refused();
  return { struckAt, happened };
};

/** Less than the load needs within moments. */
const MEMORY_LEFT = 2 * 1_024 * 1_024;

/** What it has in memory dies with it, wherever it is: nobody asks it to stop. */
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

/** One after the other, as a new version is rolled out. */
const roll = async (harness: Harness): Promise<Blow> => {
  for (const each of harness.system.processes) {
    await each.restart();
  }
  return {};
};

export const processFaults: readonly Fault[] = [
  {
    id: 'R1',
    name: 'kill-service',
    does: 'kill -9 of one service',
    kills: 1,
    holdMs: 0,
    quickHoldMs: 0,
    cachedReads: true,
    needs: needOf,
    targets: [...workers, ...jobWorkers],
    run: kill,
  },
  {
    id: 'R1',
    name: 'kill-gateway',
    does: 'kill -9 of the gateway',
    kills: 1,
    holdMs: 0,
    quickHoldMs: 1,
    cachedReads: false,
    forgets: true,
    needs: 'gateway',
    targets: [gateway],
    run: kill,
  },
  {
    id: 'R2',
    name: 'crash-point',
    does: 'kill -9 by itself between two commits',
    ofProcesses: true,
    kills: 2,
    holdMs: 0,
    quickHoldMs: 1,
    cachedReads: true,
    needs: 'everything',
    targets: crashTargets,
    hits: crashTargets.length,
    run: (harness, { target }) => crashAt(harness, target),
  },
  {
    id: 'R4',
    name: 'freeze-beyond-lease',
    does: 'SIGSTOP of a worker for longer than its lease, then CONT',
    kills: 0,
    holdMs: 38_000,
    quickHoldMs: 0,
    cachedReads: true,
    needs: 'everything',
    hits: 2,
    targets: ['transcript-fetcher-1', 'transcript-fetcher-2'],
    run: freezeBeyondLease,
  },
  {
    id: 'R29',
    name: 'stall',
    does: 'SIGSTOP of a service for five seconds: a stalled event loop',
    kills: 0,
    holdMs: 5_000,
    quickHoldMs: 2_000,
    cachedReads: true,
    needs: needOf,
    targets: [...workers, ...jobWorkers],
    run: freeze,
  },
  {
    id: 'R29',
    name: 'stall-gateway',
    does: 'SIGSTOP of the gateway for five seconds',
    kills: 0,
    holdMs: 5_000,
    quickHoldMs: 0,
    cachedReads: false,
    needs: 'gateway',
    targets: [gateway],
    run: freeze,
  },
  {
    id: 'R29',
    name: 'exhaust-descriptors',
    does: 'idle connections take every descriptor of the gateway',
    ofProcesses: true,
    kills: 0,
    holdMs: 5_000,
    quickHoldMs: 1_500,
    cachedReads: false,
    needs: 'everything',
    targets: [gateway],
    run: exhaustDescriptors,
  },
  {
    id: 'R29',
    name: 'run-out-of-memory',
    does: 'the kernel kills a service that wants more memory than it may have',
    ofProcesses: true,
    kills: 1,
    holdMs: 20_000,
    quickHoldMs: 0,
    cachedReads: true,
    needs: needOf,
    targets: workers,
    run: runOutOfMemory,
  },
  {
    id: 'R27',
    name: 'roll-out',
    does: 'SIGTERM of every service, one by one',
    kills: 0,
    holdMs: 0,
    quickHoldMs: 1,
    cachedReads: false,
    forgets: true,
    needs: 'everything',
    targets: ['all'],
    run: roll,
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
    const struckAt = harness.history.now();
    await Promise.all(harness.system.processes.map((each) => each.signal('SIGKILL')));
    return { struckAt };
  },
});
