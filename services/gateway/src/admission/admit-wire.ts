import type { Principal } from '@tds/contracts';
import { limitKeys } from './limit-keys.ts';
import type { PermitAsk } from './permit-blocks.ts';

/*
 * What the admission script is asked and what it answers, as text: JSON costs Redis 40 % and this process 50 to
 * 90 % more for each request of a batch (measured in ADR 0029), and hundreds of small arguments cost more than all the rest of
 * admission.
 *
 * An ask is a line of five words, parted by blanks:
 *   number    of the credential among the keys, from 1
 *   class     `free`, `paid` or `session`: which limits hold
 *   wanted    `+` a body that the gateway holds, `?` one that may be cached, `*` permits of such reads alone; `=` what counts as no
 *             read, but may have permits, `%` such permits alone; `-` none of these
 *   ahead     how many permits to take ahead, all or none
 *   back      permits to give back, `number:moment` as they were taken, or `0`
 *
 * An answer is three lines:
 *   wait      microseconds; 0 admits
 *   read      what became of counting the body: `-` there is none, `+` counted, `?` counted in a counter that may have been
 *             lost, `x` one too many for the day
 *   taken     the permits taken ahead, `number:moment`, or `0`
 */

/** Stands for a wanted body that the gateway holds itself, so that only its delivery is to be counted. */
export const HELD_BODY = '+';
/** Stands for a wanted body that may be cached elsewhere: counted as delivered, and given back if it is not. */
export const SOUGHT_BODY = '?';
/** Stands for a request that may come: it is admitted and counted as a cached read, and its permit is taken ahead. */
export const PERMITS_ONLY = '*';
/** Stands for a request that is no cached read, and busy keys of which have permits taken ahead all the same. */
export const UNCOUNTED = '=';
/** The same for one that may come. */
export const UNCOUNTED_PERMITS = '%';

/** Whether a wanted key is that of a body which may be cached elsewhere. */
export const isSought = (wantedKey: string | null): wantedKey is string =>
  wantedKey !== null && wantedKey !== HELD_BODY && wantedKey !== UNCOUNTED;

export type AdmissionAsk = {
  readonly keyDigest: string;
  /** Null if the process does not know the key: then its projection is looked at. */
  readonly known: Principal | null;
  /** The key of a body that may be cached elsewhere, or one of the signs above. */
  readonly wantedKey: string | null;
};

/** The ask with the permits to take and to give back. */
export type RedisAsk = AdmissionAsk & { readonly block: PermitAsk };
/** One that the script can be asked. */
export type KnownAsk = RedisAsk & { readonly known: Principal };

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
      readonly principal: Principal | null;
      readonly balance: string | null;
      readonly read: CountedRead;
      /** Permits taken ahead, as `number:moment`, or `0`. */
      readonly taken: string;
    };

export const MICROSECONDS = 1_000;
const LINES_PER_ANSWER = 3;
const NOTHING = '-';
const countedReads: Readonly<Record<string, CountedRead>> = { '+': 'counted', '?': 'unseeded', x: 'refused' };

/** A sign of the Lua function `countRead`. */
export const countedRead = (sign: string | undefined): CountedRead => countedReads[sign ?? ''] ?? 'none';

/** In the order of the asks, as are the balances of their accounts. */
export const decodeAnswers = (text: string, balances: readonly (string | null)[]): RedisAnswer[] => {
  const lines = text.split('\n');
  const answers: RedisAnswer[] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_ANSWER) {
    answers.push({
      kind: 'decided',
      waitMs: Number(lines[at]) / MICROSECONDS,
      principal: null,
      balance: balances[answers.length] ?? null,
      read: countedRead(lines[at + 1]),
      taken: lines[at + 2] ?? '0',
    });
  }
  return answers;
};

const signs: readonly string[] = [HELD_BODY, PERMITS_ONLY, UNCOUNTED, UNCOUNTED_PERMITS];

const wantedSign = (wantedKey: string | null): string => {
  if (wantedKey === null) return NOTHING;
  return signs.includes(wantedKey) ? wantedKey : SOUGHT_BODY;
};

const rateClassOf = ({ keyId, tier }: Principal): string => (keyId === null ? 'session' : tier);

/** The keys that the script may touch, three for each credential, and the lines for it. */
export type EncodedAsks = { readonly keys: readonly string[]; readonly text: string };

export const encodeAsks = (day: string, asks: readonly KnownAsk[]): EncodedAsks => {
  const keys: string[] = [];
  const numbers = new Map<string, number>();
  const lines = asks.map(({ keyDigest, known, wantedKey, block: { ahead, back } }) => {
    const { accountId } = known;
    const number = numbers.get(keyDigest) ?? numbers.size + 1;
    if (number > numbers.size) {
      numbers.set(keyDigest, number);
      keys.push(
        limitKeys.rate(accountId, keyDigest),
        limitKeys.reads(accountId, day, known.limitId ?? NOTHING),
        limitKeys.readsSince(accountId),
      );
    }
    return `${number} ${rateClassOf(known)} ${wantedSign(wantedKey)} ${ahead} ${back}`;
  });
  return { keys, text: lines.join('\n') };
};
