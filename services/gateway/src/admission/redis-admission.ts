import { creditsLedger, identity, type Tier, utcDay } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { admitScript } from './admit-script.ts';
import { decodeAnswers, encodeAsks, MICROSECONDS, type RedisAnswer, type RedisAsk } from './admit-wire.ts';
import { createBatch } from './batch.ts';
import { readsPrefix } from './count-read-script.ts';
import { type Limits, SESSION_REQUESTS_PER_MINUTE, WINDOW_MS } from './limits.ts';
import type { RedisGuard } from './redis-guard.ts';

type WithScript = { tdsAdmit(...parts: string[]): Promise<string> };

/** Every check and look-up of a request in one round trip; null if Redis is away. */
export type RedisAdmission = (ask: RedisAsk) => Promise<RedisAnswer | null>;

export const createRedisAdmission = (
  redis: Redis,
  guard: RedisGuard,
  limits: Readonly<Record<Tier, Limits>>,
  now: () => Date,
): RedisAdmission => {
  redis.defineCommand('tdsAdmit', { lua: admitScript, numberOfKeys: 0 });
  const scripted = redis as unknown as WithScript;
  const head = [
    String(WINDOW_MS * MICROSECONDS),
    identity.principalsFresh.key(),
    identity.principal.key(''),
    creditsLedger.balance.key(''),
    `${limits.free.requestsPerMinute} ${limits.paid.requestsPerMinute} ${limits.free.cacheReadsPerDay} ${limits.paid.cacheReadsPerDay} ${SESSION_REQUESTS_PER_MINUTE}`,
  ];
  const send = async (asks: readonly RedisAsk[]): Promise<RedisAnswer[] | null> => {
    const day = utcDay(now());
    const raw = await guard.run(() => scripted.tdsAdmit(...head, encodeAsks(asks), day, readsPrefix(day)));
    return raw === null ? null : decodeAnswers(raw);
  };
  // An outage must not make requests queue behind the one that tries.
  return createBatch({ send, mayHold: () => !guard.isAway() });
};
