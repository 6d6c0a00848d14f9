import { COLD_WAIT_MS, keyRingUses, WEBHOOK_SECRETS } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { createAdmission } from './admission/admission.ts';
import { createBalanceCache } from './admission/balance-cache.ts';
import { createCacheReads } from './admission/cache-reads.ts';
import { createColdLeases } from './admission/cold-leases.ts';
import { keyLimits } from './admission/limits.ts';
import { createLocalLimiter } from './admission/local-limits.ts';
import { createPermitBlocks } from './admission/permits.ts';
import { createPublicCallers } from './admission/public-callers.ts';
import { createRedisAdmission } from './admission/redis-admission.ts';
import { createCallKeys } from './assistant/repeated-calls.ts';
import { createFeedMemory } from './cache/feed-memory.ts';
import { createLinkMemory } from './cache/link-memory.ts';
import { createListingMemory } from './cache/listing-memory.ts';
import { createPassages } from './cache/passages.ts';
import { createPriceMemory } from './cache/price-memory.ts';
import { createStoredTranscripts, createTranscriptMemory } from './cache/transcript-memory.ts';
import { readConfig } from './config.ts';
import type { GatewayDeps } from './deps.ts';
import { createClientAddress, createTrustedProxy } from './front/input/client-address.ts';
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
import { createServerGuard } from './redis/server-guard.ts';
import { startWaiving } from './refunds/waived-requests.ts';
import { startLatency } from './reports/latency.ts';
import { startLibraryReads } from './reports/library-reads.ts';
import { startRequestLog } from './reports/request-log.ts';
import { startUsage } from './reports/usage.ts';
import { watchStatus } from './status/status-watch.ts';
import { createJobStreams } from './streams/job-streams.ts';
import type { Surface } from './surface.ts';

/** With two missed rounds, the status is right within ten seconds. */
const STATUS_EVERY_MS = 5_000;

export type Overrides = Partial<Pick<GatewayDeps, 'clock' | 'now' | 'limits' | 'coldWaitMs'>> & {
  readonly statusEveryMs?: number;
};

type Base = Pick<GatewayDeps, 'config' | 'clock' | 'now' | 'limits'>;

/** Authentication and admission. */
const createCallers = (kit: Kit<Surface>, { config, clock, now, limits }: Base) => {
  const { call, redis } = kit;
  const timing = { clock, timeoutMs: config.redisWaitMs };
  const guard = createServerGuard(kit, 'limits', timing);
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
    guard: createServerGuard(kit, 'cache', timing),
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
): Promise<GatewayDeps> => {
  const config = readConfig(environment);
  const ending = new AbortController();
  const { clock = () => performance.now(), now = () => new Date(), limits = keyLimits } = overrides;
  const { coldWaitMs = COLD_WAIT_MS, statusEveryMs = STATUS_EVERY_MS } = overrides;
  const { guard, ...callers } = createCallers(kit, { config, clock, now, limits });
  const passages = createPassages(kit);
  const isTrustedProxy = createTrustedProxy(config.trustedProxies);
  return {
    ...callers,
    call: kit.call,
    objects: kit.objects,
    config,
    now,
    clock,
    limits,
    coldWaitMs,
    ending,
    isEnding: () => ending.signal.aborted,
    signedEvents: createNetworkGate(clock, config.failedCredentialsPerMinute, unsignedEvents),
    oauth: createAuthorizationServer({ call: kit.call, clock, log: kit.log, config }),
    getCallKey: createCallKeys(kit.redis, guard, now),
    leases: createColdLeases(kit.redis, guard, clock),
    memory: createTranscriptMemory(),
    passages,
    jobStreams: createJobStreams(kit.call, { lifeMs: config.streamLifeMs, clock, ending: ending.signal }),
    listings: createListingMemory(clock),
    prices: createPriceMemory(clock),
    feeds: createFeedMemory(clock),
    links: createLinkMemory(callers.stored, passages),
    waived: startWaiving(kit, guard, now),
    latency: startLatency(kit, now),
    logRequest: startRequestLog(kit, clock),
    library: startLibraryReads(kit),
    status: await watchStatus({ call: kit.call, onStop: kit.onStop, now, everyMs: statusEveryMs }),
    codeMacs: config.keyRing.forUse(keyRingUses.signInCodes),
    webhookCipher: config.webhookKeyRing.cipher(WEBHOOK_SECRETS),
    publicCallers: createPublicCallers(clock, config.publicRequestsPerMinute),
    readAddress: createClientAddress(isTrustedProxy),
    isTrustedProxy,
  };
};
