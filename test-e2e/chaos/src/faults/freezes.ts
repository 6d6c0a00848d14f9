import { readCounter, sleep, until } from '#support';
import { type Harness, processNamed } from '../harness.ts';
import type { Blow, Fault } from './fault.ts';
import { untilAnswers } from './probes.ts';
import { backWorkers, gateway, needOf, workers } from './processes.ts';

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

export const freezes: readonly Fault[] = [
  {
    ...{ id: 'R4', name: 'freeze-beyond-lease', kills: 0, holdMs: 38_000, quickHoldMs: 0 },
    does: 'SIGSTOP of a worker for longer than its lease, then CONT',
    cachedReads: true,
    needs: 'everything',
    hits: 2,
    targets: ['transcript-fetcher-1', 'transcript-fetcher-2'],
    run: freezeBeyondLease,
  },
  {
    ...{ id: 'R4', name: 'freeze-beside-another', kills: 0, holdMs: 65_000, quickHoldMs: 0 },
    does: 'SIGSTOP of a service for longer than its leases, beside its second instance, then CONT',
    cachedReads: true,
    needs: 'everything',
    hits: 3,
    targets: ['monitor-scheduler-1', 'webhook-dispatcher-1', 'billing-1', 'status-1'],
    run: freeze,
  },
  {
    ...{ id: 'R29', name: 'stall', kills: 0, holdMs: 5_000, quickHoldMs: 2_000 },
    does: 'SIGSTOP of a service for five seconds: a stalled event loop',
    cachedReads: true,
    needs: needOf,
    targets: [...workers, ...backWorkers],
    run: freeze,
  },
  {
    ...{ id: 'R29', name: 'stall-gateway', kills: 0, holdMs: 5_000, quickHoldMs: 0 },
    does: 'SIGSTOP of the gateway for five seconds',
    cachedReads: false,
    needs: 'gateway',
    targets: [gateway],
    run: freeze,
  },
];
