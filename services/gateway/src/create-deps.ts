import { COLD_WAIT_MS, keyRingUses, WEBHOOK_SECRETS } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { createAdmission } from './admission/admission.ts';
import { createBalanceCache } from './admission/balance-cache.ts';
import { createCacheReads } from './admission/cache-reads.ts';
import { createColdLeases } from './admission/cold-leases.ts';
import { keyLimits } from './admission/limits.ts';
import { createLocalLimiter } from './admission/local-limits.ts';
import { createPermitBlocks } from './admission/permits.ts';
import { createRedisAdmission } from './admission/redis-admission.ts';
import { createCallKeys } from './assistant/repeated-calls.ts';
import { createListingMemory, type PageAnswer } from './cache/listing-memory.ts';
import { createPassages } from './cache/passages.ts';
import { createPriceMemory } from './cache/price-memory.ts';
import { createStoredTranscripts, createTranscriptMemory } from './cache/transcript-memory.ts';
import { type GatewayConfig, readConfig } from './config.ts';
import { createAuthorizationServer } from './oauth/authorization-server.ts';
import { createKeyLookUps } from './principals/admit-credential.ts';
import { createCallerAdmission } from './principals/caller-admission.ts';
import { createNetworkGate, unknownCredentials, unsignedEvents } from './principals/network-gate.ts';
import {
  createPrincipalMemory,
  createPrincipalReads,
  createReadProjected,
  reportRefused,
} from './principals/projected-principals.ts';
import { createRedisGuard, isFull, type MonotonicClock, type RedisGuardOptions } from './redis/redis-guard.ts';
import { createKeptRequests, startWaiving } from './refunds/waived-requests.ts';
import { startLatency } from './reports/latency.ts';
import { startLibraryReads } from './reports/library-reads.ts';
import { startRequestLog } from './reports/request-log.ts';
import { startUsage } from './reports/usage.ts';
import { createKeySecrets } from './routes/account/key-secrets.ts';
import { watchStatus } from './status/status-watch.ts';
import { createJobStreams } from './streams/job-streams.ts';
import type { Surface } from './surface.ts';

const REDIS_PAUSE_MS = 1_000;
/** With two missed rounds, the status is right within ten seconds. */
const STATUS_EVERY_MS = 5_000;

/** Log lines per server that is away. */
const fallbackMessages = {
  limits: 'admission goes on without redis',
  cache: 'reads go on without the redis cache',
};

const createGuard = (
  { log, metrics }: Pick<Kit<Surface>, 'log' | 'metrics'>,
  server: keyof typeof fallbackMessages,
  { clock, timeoutMs }: Pick<RedisGuardOptions, 'clock' | 'timeoutMs'>,
) =>
  createRedisGuard({
    clock,
    timeoutMs,
    pauseMs: REDIS_PAUSE_MS,
    onAway: (error) => {
      log.warn(fallbackMessages[server], { error });
      metrics.redisAway.set({ server, why: isFull(error) ? 'full' : 'no answer' }, 1);
    },
    onBack: () => {
      log.info('redis is back in use', { server });
      for (const why of ['full', 'no answer']) metrics.redisAway.set({ server, why }, 0);
    },
  });

export type Overrides = {
  readonly clock?: MonotonicClock;
  readonly now?: () => Date;
  readonly limits?: typeof keyLimits;
  readonly coldWaitMs?: number;
  readonly statusEveryMs?: number;
};

type Base = {
  readonly config: GatewayConfig;
  readonly clock: MonotonicClock;
  readonly now: () => Date;
  readonly limits: typeof keyLimits;
};

/** Authentication and admission. */
const createCallers = (kit: Kit<Surface>, { config, clock, now, limits }: Base) => {
  const { call, redis } = kit;
  const createServerGuard = (server: keyof typeof fallbackMessages) =>
    createGuard(kit, server, { clock, timeoutMs: config.redisWaitMs });
  const guard = createServerGuard('limits');
  const memory = createPrincipalMemory(clock);
  const balances = createBalanceCache(call, clock);
  const usage = startUsage(kit, now);
  const reads = createCacheReads({ redis, guard, limits, now });
  const readProjected = createReadProjected(config.keyRing, reportRefused(kit, clock));
  const readPrincipal = createPrincipalReads(redis, guard, readProjected);
  const admit = createAdmission({
    redis: createRedisAdmission(redis, guard, { limits, now, readPrincipal }),
    local: createLocalLimiter(),
    blocks: { body: createPermitBlocks(clock, now), page: createPermitBlocks(clock, now) },
    reads,
    clock,
    limits,
  });
  const gate = createNetworkGate(clock, config.failedCredentialsPerMinute, unknownCredentials);
  const lookUpKey = createKeyLookUps(call, memory, gate, clock);
  const stored = createStoredTranscripts({
    bodies: kit.bodies,
    objects: kit.objects,
    guard: createServerGuard('cache'),
  });
  const admissionDeps = { call, admit, lookUpKey, gate, balances, reads, stored, clock, limits, memory };
  return {
    guard,
    principals: memory,
    balances,
    usage,
    reads,
    stored,
    callerAdmission: createCallerAdmission(admissionDeps),
  };
};

/** All dependencies of routes and middleware. */
export const createDeps = async (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
) => {
  const config = readConfig(environment);
  const ending = new AbortController();
  const { clock = () => performance.now(), now = () => new Date(), limits = keyLimits } = overrides;
  const { coldWaitMs = COLD_WAIT_MS, statusEveryMs = STATUS_EVERY_MS } = overrides;
  const { guard, ...callers } = createCallers(kit, { config, clock, now, limits });
  const keptRequests = createKeptRequests(kit.redis, guard, {
    now: () => now().getTime(),
    onLoss: ({ requestId }) => kit.log.error('a request was not waived: it may be charged', { requestId }),
  });
  return {
    ...callers,
    call: kit.call,
    objects: kit.objects,
    config,
    now,
    clock,
    limits,
    coldWaitMs,
    /** Fires when the process stops accepting requests. */
    ending,
    isEnding: () => ending.signal.aborted,
    signedEvents: createNetworkGate(clock, config.failedCredentialsPerMinute, unsignedEvents),
    oauth: createAuthorizationServer({ call: kit.call, clock, log: kit.log, config }),
    getCallKey: createCallKeys(kit.redis, guard, now),
    leases: createColdLeases(kit.redis, guard, clock),
    memory: createTranscriptMemory(),
    passages: createPassages(kit),
    jobStreams: createJobStreams(kit.call, { lifeMs: config.streamLifeMs, clock, ending: ending.signal }),
    listings: createListingMemory<PageAnswer>(clock),
    prices: createPriceMemory(clock),
    waived: startWaiving(kit, keptRequests),
    latency: startLatency(kit, now),
    logRequest: startRequestLog(kit, clock),
    library: startLibraryReads(kit),
    status: await watchStatus({ call: kit.call, onStop: kit.onStop, now, everyMs: statusEveryMs }),
    codeMacs: config.keyRing.forUse(keyRingUses.signInCodes),
    webhookSeals: config.webhookKeyRing.seals(WEBHOOK_SECRETS),
    ...createKeySecrets(config.replaySecret.reveal()),
  };
};
