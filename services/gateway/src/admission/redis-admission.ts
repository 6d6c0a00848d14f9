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
  readonly wantedKey: string | null;
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

/** The lines, then the wanted values. */
type RawAnswers = readonly [Buffer, ...Buffer[]];
type WithScript = { tdsAdmitBuffer(...parts: string[]): Promise<RawAnswers> };

const MICROSECONDS = 1_000;
const LINES_PER_ANSWER = 4;
const NOTHING = '-';

const given = (line: string | undefined): string | null =>
  line === undefined || line === NOTHING ? null : line;

const readAnswers = ([text, ...values]: RawAnswers): RedisAnswer[] => {
  const lines = text.toString().split('\n');
  const answers: RedisAnswer[] = [];
  let nextValue = 0;
  for (let at = 0; at < lines.length; at += LINES_PER_ANSWER) {
    const wait = Number(lines[at]);
    const hasValue = given(lines[at + 3]) !== null;
    answers.push(
      wait < 0
        ? { kind: 'unknown-key' }
        : {
            kind: 'decided',
            waitMs: wait / MICROSECONDS,
            principal: given(lines[at + 1]),
            balance: given(lines[at + 2]),
            body: (hasValue && values[nextValue]) || null,
          },
    );
    if (hasValue) nextValue += 1;
  }
  return answers;
};

const toLine = ({ keyDigest, known, wantedKey }: AdmissionAsk): string =>
  known === null
    ? `${keyDigest} ${NOTHING} ${NOTHING} ${wantedKey ?? NOTHING}`
    : `${keyDigest} ${known.accountId} ${known.tier} ${wantedKey ?? NOTHING}`;

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
    principalsFresh.key(),
    principals.key(''),
    balances.key(''),
    `${limits.free.requestsPerMinute} ${limits.paid.requestsPerMinute}`,
  ];
  const send = async (asks: readonly AdmissionAsk[]): Promise<RedisAnswer[] | null> => {
    const lines = asks.map(toLine).join('\n');
    const raw = await guard.run(() => scripted.tdsAdmitBuffer(...head, lines));
    return raw && readAnswers(raw);
  };
  // An outage must not make requests queue behind the one that tries.
  return createBatch({ send, mayHold: () => !guard.isAway() });
};
