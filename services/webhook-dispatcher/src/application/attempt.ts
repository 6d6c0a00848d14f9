import { retryWaitMs } from '../domain/retry-wait.ts';
import { type SigningKeys, webhookHeaders } from '../domain/signature.ts';
import type { Claimed } from '../store/claims.ts';
import type { Outcome } from '../store/outcomes.ts';
import type { Poster, PostResult } from '../upstream/post-webhook.ts';

export type AttemptParts = {
  readonly poster: Poster;
  readonly keysOf: (sealedSecret: string, accountId: string) => SigningKeys;
  readonly now: () => Date;
  readonly random: () => number;
};

type Made = PostResult & { readonly at: Date; readonly milliseconds: number | null };

export const outcomeOf = (
  { id, accountId, attempt }: Pick<Claimed, 'id' | 'accountId' | 'attempt'>,
  { at, status, milliseconds, error, answer }: Made,
  random: number,
): Outcome => ({
  id,
  accountId,
  attempt,
  at,
  status,
  milliseconds,
  error,
  answer,
  retryMs: error === null ? 0 : retryWaitMs(attempt, random),
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
