import { creditsLedger, identity, limitIdOf, type Principal, type Tier, utcDay } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { admitScript, HELD_BODY, PERMITS_ONLY, SOUGHT_BODY } from './admit-script.ts';
import { createBatch } from './batch.ts';
import { readsPrefix } from './count-read-script.ts';
import { type Limits, SESSION_REQUESTS_PER_MINUTE, WINDOW_MS } from './limits.ts';
import type { PermitAsk } from './permit-blocks.ts';
import type { RedisGuard } from './redis-guard.ts';

export type AdmissionAsk = {
  readonly keyDigest: string;
  /** Null if the process does not know the key: then its projection is looked at. */
  readonly known: Principal | null;
  /** The key of a body that may be cached elsewhere; or `HELD_BODY`, or `PERMITS_ONLY`. */
  readonly wantedKey: string | null;
};

/** The ask as it is sent. */
export type RedisAsk = AdmissionAsk & { readonly block: PermitAsk };

/**
 * What became of counting a cached body as read: there is none, it was counted, also if its counter may have been
 * lost before, or it is one too many for the day.
 */
export type CountedRead = 'none' | 'counted' | 'unseeded' | 'refused';

/** What Redis said of one request. */
export type RedisAnswer =
  | { readonly kind: 'unknown-key' }
  | {
      readonly kind: 'decided';
      /** 0 admits. */
      readonly waitMs: number;
      /** As projected; null if it was known before. */
      readonly principal: string | null;
      readonly balance: string | null;
      readonly read: CountedRead;
      /** Permits taken ahead, as `number:moment`, or `0`. */
      readonly taken: string;
    };

type WithScript = { tdsAdmit(...parts: string[]): Promise<string> };

const MICROSECONDS = 1_000;
const LINES_PER_ANSWER = 5;
const NOTHING = '-';
const countedReads: Readonly<Record<string, CountedRead>> = { '+': 'counted', '?': 'unseeded', x: 'refused' };

/** A sign of the script `countRead`. */
export const countedRead = (sign: string | undefined): CountedRead => countedReads[sign ?? ''] ?? 'none';

const given = (line: string | undefined): string | null =>
  line === undefined || line === NOTHING ? null : line;

const readAnswers = (text: string): RedisAnswer[] => {
  const lines = text.split('\n');
  const answers: RedisAnswer[] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_ANSWER) {
    const wait = Number(lines[at]);
    answers.push(
      wait < 0
        ? { kind: 'unknown-key' }
        : {
            kind: 'decided',
            waitMs: wait / MICROSECONDS,
            principal: given(lines[at + 1]),
            balance: given(lines[at + 2]),
            read: countedRead(lines[at + 3]),
            taken: lines[at + 4] ?? '0',
          },
    );
  }
  return answers;
};

const wantedSign = (wantedKey: string | null): string => {
  if (wantedKey === null) return NOTHING;
  return wantedKey === HELD_BODY || wantedKey === PERMITS_ONLY ? wantedKey : SOUGHT_BODY;
};

const rateClassOf = ({ keyId, tier }: Principal): string => (keyId === null ? 'session' : tier);

const toLine = ({ keyDigest, known, wantedKey, block: { ahead, back } }: RedisAsk): string => {
  const who =
    known === null
      ? `${NOTHING} ${NOTHING} ${NOTHING}`
      : `${known.accountId} ${rateClassOf(known)} ${limitIdOf(known)}`;
  return `${keyDigest} ${who} ${wantedSign(wantedKey)} ${ahead} ${back}`;
};

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
    const lines = asks.map(toLine).join('\n');
    const day = utcDay(now());
    const raw = await guard.run(() => scripted.tdsAdmit(...head, lines, day, readsPrefix(day)));
    return raw === null ? null : readAnswers(raw);
  };
  // An outage must not make requests queue behind the one that tries.
  return createBatch({ send, mayHold: () => !guard.isAway() });
};
