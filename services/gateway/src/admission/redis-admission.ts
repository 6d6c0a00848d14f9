import { byHashTag, creditsLedger, type Tier, utcDay } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { createPrincipalReads, type ReadProjected } from '../principals/projected-principals.ts';
import {
  admitScript,
  decodeAnswers,
  encodeAsks,
  type KnownAsk,
  MICROSECONDS,
  type RedisAnswer,
  type RedisAsk,
} from './admit-script.ts';
import { createBatch } from './batch.ts';
import { type Limits, SESSION_REQUESTS_PER_MINUTE, WINDOW_MS } from './limits.ts';
import type { RedisGuard } from './redis-guard.ts';

type WithScript = { tdsAdmit(keys: number, ...given: string[]): Promise<string> };

/**
 * Every check and look-up of a request in one round trip, and one before it where the key has to be looked up; null if
 * Redis is away.
 */
export type RedisAdmission = (ask: RedisAsk) => Promise<RedisAnswer | null>;

type RedisAdmissionParts = {
  readonly limits: Readonly<Record<Tier, Limits>>;
  readonly now: () => Date;
  readonly readProjected: ReadProjected;
};

/** Its hash tag is that of all keys of the account. */
const balanceKey = ({ known }: KnownAsk): string => creditsLedger.balance.key(known.accountId);

export const createRedisAdmission = (
  redis: Redis,
  guard: RedisGuard,
  { limits, now, readProjected }: RedisAdmissionParts,
): RedisAdmission => {
  redis.defineCommand('tdsAdmit', { lua: admitScript });
  const scripted = redis as unknown as WithScript;
  const settings = [
    String(WINDOW_MS * MICROSECONDS),
    `${limits.free.requestsPerMinute} ${limits.paid.requestsPerMinute} ${limits.free.cacheReadsPerDay} ${limits.paid.cacheReadsPerDay} ${SESSION_REQUESTS_PER_MINUTE}`,
  ];
  const askTogether = async (asks: readonly KnownAsk[]): Promise<RedisAnswer[]> => {
    const day = utcDay(now());
    const { keys, text } = encodeAsks(day, asks);
    // Sent together. Balances are their owner's, and scripts touch nothing but what is ours.
    const [answers, balances] = await Promise.all([
      scripted.tdsAdmit(keys.length, ...keys, ...settings, day, text),
      redis.mget(asks.map(balanceKey)),
    ]);
    return decodeAnswers(answers, balances);
  };
  const send = (asks: readonly KnownAsk[]): Promise<(RedisAnswer | undefined)[] | null> =>
    guard.run(async () => {
      const answerTo = new Map<KnownAsk, RedisAnswer | undefined>();
      const each = byHashTag(asks, balanceKey).map(async (some) => {
        const answers = await askTogether(some);
        for (const [index, ask] of some.entries()) answerTo.set(ask, answers[index]);
      });
      await Promise.all(each);
      return asks.map((ask) => answerTo.get(ask));
    });
  const mayHold = () => !guard.isAway();
  // An outage must not make requests queue behind the one that tries.
  const admit = createBatch({ send, mayHold });
  const readPrincipal = createPrincipalReads(redis, guard, readProjected);
  return async (ask) => {
    if (ask.known !== null) return (await admit({ ...ask, known: ask.known })) ?? null;
    const principal = await readPrincipal(ask.keyDigest);
    if (principal === 'unknown') return { kind: 'unknown-key' };
    const answer = principal && (await admit({ ...ask, known: principal }));
    return answer?.kind === 'decided' ? { ...answer, principal } : null;
  };
};
