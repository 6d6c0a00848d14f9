import type { AttemptError } from '@tds/contracts';
import type { Seals } from '@tds/service-kit';
import { LRUCache } from 'lru-cache';
import { retryWaitMs } from '../domain/retry-wait.ts';
import { type SigningKeys, signingKeysOf, webhookHeaders } from '../domain/webhook-message.ts';
import type { Claimed, Outcome } from '../store/attempts.ts';
import type { Poster, PostResult } from '../upstream/post-webhook.ts';

const MOST_OPEN = 1_000;

/** Opens the secrets of webhooks. Those that were used last stay open in memory: opening one costs more than signing with it. */
export const createSigningKeys = (seals: Pick<Seals, 'open'>) => {
  const opened = new LRUCache<string, SigningKeys>({ max: MOST_OPEN });
  return (sealedSecret: string, accountId: string): SigningKeys => {
    const owned = `${accountId} ${sealedSecret}`;
    const keys = opened.get(owned) ?? signingKeysOf(seals.open(sealedSecret, accountId));
    opened.set(owned, keys);
    return keys;
  };
};

type AttemptParts = {
  readonly poster: Poster;
  readonly keysOf: (sealedSecret: string, accountId: string) => SigningKeys;
  readonly now: () => Date;
  readonly random: () => number;
};

type Made = PostResult & { readonly at: Date; readonly milliseconds: number | null };
type Which = Pick<Claimed, 'id' | 'accountId' | 'attempt'>;

/** Nobody knows whether it arrived, or it has not left: that is ours, and the next one does not wait for long. */
const lost = { status: null, milliseconds: null, error: 'interrupted', answer: null } as const;

const waitOf = (attempt: number, error: AttemptError | null, random: number): number => {
  if (error === null) return 0;
  return retryWaitMs(error === 'interrupted' ? 1 : attempt, random);
};

const outcomeOf = (
  { id, accountId, attempt }: Which,
  { at, status, milliseconds, error, answer }: Made,
  random: number,
): Outcome => ({
  id,
  accountId,
  attempt,
  wasSent: true,
  at,
  status,
  milliseconds,
  error,
  answer,
  retryMs: waitOf(attempt, error, random),
});

/** Of an attempt of which nobody says what became of it. */
export const lostOutcome = (which: Which, at: Date, random: number): Outcome =>
  outcomeOf(which, { ...lost, at }, random);

/** Of one that was claimed and has not left: it is given back. */
export const unsentOutcome = (which: Which, at: Date, random: number): Outcome => ({
  ...lostOutcome(which, at, random),
  wasSent: false,
});

/** One attempt at one delivery, signed with the time of now. */
export const makeAttempt = async (
  { poster, keysOf, now, random }: AttemptParts,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { id: deliveryId, accountId, url, kind, body, sealedSecret } = claimed;
  const at = now();
  const startedAt = performance.now();
  const keys = keysOf(sealedSecret, accountId);
  const headers = webhookHeaders({ deliveryId, kind, body, keys, at });
  const result = await poster.post({ accountId, url, headers, body }, signal);
  const milliseconds = Math.round(performance.now() - startedAt);
  return outcomeOf(claimed, { ...result, at, milliseconds }, random());
};
