import { balances, type Principal, principals, principalsFresh, type Tier } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { admitScript } from './admit-script.ts';
import { createBatch } from './batch.ts';
import { type Limits, WINDOW_MS } from './limits.ts';
import type { RedisGuard } from './redis-guard.ts';

export type AdmissionAsk = {
  readonly keyDigest: string;
  /** Null where the process does not know the key: then its projection is looked at. */
  readonly known: Principal | null;
  /** A Redis key whose value is wanted along with the admission. */
  readonly bodyKey: string | null;
};

/** What Redis said of one request. */
export type RedisAnswer =
  | { readonly kind: 'unknown-key' }
  | {
      readonly kind: 'decided';
      /** 0 admits. */
      readonly waitMs: number;
      /** As projected; null where it was known before. */
      readonly principal: string | null;
      readonly balance: string | null;
      readonly body: Buffer | null;
    };

type RawAnswer = [number, Buffer | null, Buffer | null, Buffer | null];
type WithScript = { tdsAdmitBuffer(...parts: string[]): Promise<RawAnswer[]> };

const MICROSECONDS = 1_000;
const balancePrefix = balances.key('');
const freshKey = principalsFresh.key();

const toAnswer = ([wait, principal, balance, body]: RawAnswer): RedisAnswer =>
  wait < 0
    ? { kind: 'unknown-key' }
    : {
        kind: 'decided',
        waitMs: wait / MICROSECONDS,
        principal: principal?.toString() ?? null,
        balance: balance?.toString('latin1') ?? null,
        body,
      };

/** Every check and look-up of a request in one round trip; null where Redis is away. */
export type RedisAdmission = (ask: AdmissionAsk) => Promise<RedisAnswer | null>;

export const createRedisAdmission = (
  redis: Redis,
  guard: RedisGuard,
  limits: Readonly<Record<Tier, Limits>>,
): RedisAdmission => {
  redis.defineCommand('tdsAdmit', { lua: admitScript, numberOfKeys: 0 });
  const scripted = redis as unknown as WithScript;
  const head = [
    String(WINDOW_MS * MICROSECONDS),
    freshKey,
    balancePrefix,
    String(limits.free.requestsPerMinute),
    String(limits.paid.requestsPerMinute),
  ];
  return createBatch(async (asks: readonly AdmissionAsk[]) => {
    const parts = head.slice();
    for (const { keyDigest, known, bodyKey } of asks) {
      const principalKey = known === null ? principals.key(keyDigest) : '';
      parts.push(
        `gateway:rate:${keyDigest}`,
        principalKey,
        known?.accountId ?? '',
        known?.tier ?? '',
        bodyKey ?? '',
      );
    }
    const raw = await guard.run(() => scripted.tdsAdmitBuffer(...parts));
    return raw?.map(toAnswer) ?? null;
  });
};
