import type { FaultName } from '@tds/simulators/platform';
import { sleep } from '#support';
import type { Harness } from '../harness.ts';
import { flushRedis } from '../load/line-clients.ts';
import type { Blow, Fault } from './fault.ts';

const flush = async ({ system }: Harness): Promise<Blow> => {
  await flushRedis(system.servers.redis.url);
  return {};
};

const kill = async ({ system, history }: Harness): Promise<Blow> => {
  const struckAt = history.now();
  await system.servers.redis.signal('SIGKILL');
  return { struckAt };
};

const freeze = async ({ system }: Harness, { holdMs }: { holdMs: number }): Promise<Blow> => {
  await system.servers.redis.signal('SIGSTOP');
  await sleep(holdMs);
  await system.servers.redis.signal('SIGCONT');
  return {};
};

const platformFaults: readonly FaultName[] = [
  ...(['server_error', 'too_many_requests', 'reset', 'garbage', 'block', 'html'] as const),
  ...(['hang', 'slow_drip', 'truncated_json', 'token_required'] as const),
];

const upset = async (
  { system }: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const id = system.simulator.faults.add({ fault: target as FaultName });
  await sleep(holdMs);
  system.simulator.faults.remove(id);
  return {};
};

const redis = { cachedReads: false, forgets: true, targets: ['redis'] } as const;

export const outsideFaults: readonly Fault[] = [
  {
    ...{ id: 'R17', name: 'flush-redis', kills: 0, holdMs: 0, quickHoldMs: 1 },
    does: 'FLUSHALL',
    ...redis,
    needs: 'everything',
    run: flush,
  },
  {
    ...{ id: 'R18', name: 'kill-redis', kills: 1, holdMs: 0, quickHoldMs: 1 },
    does: 'kill -9 of Redis, started again empty',
    ...redis,
    needs: 'everything',
    run: kill,
  },
  {
    ...{ id: 'R18', name: 'freeze-redis', kills: 0, holdMs: 10_000, quickHoldMs: 2_000 },
    does: 'SIGSTOP of Redis',
    ...redis,
    needs: 'everything',
    run: freeze,
  },
  {
    ...{ id: 'R21', name: 'upset-platform', kills: 0, holdMs: 6_000, quickHoldMs: 0 },
    does: 'the platform answers wrongly, late or never',
    cachedReads: true,
    needs: 'platform',
    targets: platformFaults,
    run: upset,
  },
];
