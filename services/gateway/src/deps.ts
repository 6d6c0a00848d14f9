import { COLD_WAIT_MS } from '@tds/contracts';
import type { Kit, Log } from '@tds/service-kit';
import { createAdmission } from './admission/admission.ts';
import { createBalanceBook } from './admission/balance-book.ts';
import { createBlocks } from './admission/blocks.ts';
import { createCacheReads } from './admission/cache-reads.ts';
import { createColdLeases } from './admission/cold-leases.ts';
import { keyLimits } from './admission/limits.ts';
import { createLocalLimiter } from './admission/local-limiter.ts';
import { createRedisAdmission } from './admission/redis-admission.ts';
import { createRedisGuard, type MonotonicClock } from './admission/redis-guard.ts';
import { createStoredTranscripts } from './cache/stored-transcripts.ts';
import { createTranscriptMemory } from './cache/transcript-memory.ts';
import { startDisowning } from './disowned/disowned-requests.ts';
import { createKeptRequests } from './disowned/kept-requests.ts';
import { createKeyLookUps } from './principals/key-look-ups.ts';
import { createLetIn } from './principals/let-in.ts';
import { createPrincipalMemory } from './principals/principal-memory.ts';
import type { GatewaySurface } from './surface.ts';
import { startUsage } from './usage/start-usage.ts';

const REDIS_TIMEOUT_MS = 50;
const REDIS_PAUSE_MS = 1_000;

const createGuard = (log: Log, clock: MonotonicClock) =>
  createRedisGuard({
    clock,
    timeoutMs: REDIS_TIMEOUT_MS,
    pauseMs: REDIS_PAUSE_MS,
    onAway: (error) => log.warn('admission goes on without redis', { error }),
    onBack: () => log.info('admission is back on redis'),
  });

export type Overrides = {
  readonly clock?: MonotonicClock;
  readonly now?: () => Date;
  readonly limits?: typeof keyLimits;
  readonly coldWaitMs?: number;
};

/** Everything that routes and middleware are made of. */
export const createDeps = (kit: Kit<GatewaySurface>, overrides: Overrides = {}) => {
  const { clock = () => performance.now(), now = () => new Date(), limits = keyLimits } = overrides;
  const { coldWaitMs = COLD_WAIT_MS } = overrides;
  const { call, redis, log } = kit;
  const guard = createGuard(log, clock);
  const principals = createPrincipalMemory(clock);
  const book = createBalanceBook(call, clock);
  const usage = startUsage(kit, now);
  const reads = createCacheReads({ redis, guard, call, limits, now, onLost: usage.tellAll });
  const admit = createAdmission({
    redis: createRedisAdmission(redis, guard, limits, now),
    local: createLocalLimiter(),
    blocks: createBlocks(clock, now),
    ...{ reads, clock, limits },
  });
  const kept = createKeptRequests(redis, guard, {
    now: () => now().getTime(),
    onLoss: ({ requestId }) => log.error('a request was not disowned: it may be charged', { requestId }),
  });
  const lookUpKey = createKeyLookUps(call, principals, clock);
  return {
    ...{ call, now, clock, limits, coldWaitMs, principals, book, reads, usage },
    letIn: createLetIn({ ...{ call, admit, lookUpKey, book, reads, clock, limits }, memory: principals }),
    leases: createColdLeases(redis, guard, clock),
    memory: createTranscriptMemory(),
    disowned: startDisowning(kit, kept),
    stored: createStoredTranscripts(kit.projections, kit.objects),
  };
};
export type Deps = ReturnType<typeof createDeps>;
