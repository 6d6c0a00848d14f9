import type { Cipher } from '@tds/base';
import type { Attempt, ReceiverForm } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { readChatAnswer } from '../domain/chat-answer.ts';
import { retryWaitMs } from '../domain/retry-wait.ts';
import { MESSAGE_HEADERS, type SigningKeys, toSigningKeys, webhookHeaders } from '../domain/webhook-message.ts';
import type { AttemptOutcome, ClaimedDelivery } from '../store/attempts.ts';
import type { Poster } from '../upstream/post-webhook.ts';

const MAX_OPEN_SECRETS = 1_000;

/** Decrypts secrets, and keeps the last used ones: decrypting a secret costs more than signing with it. */
export const createSigningKeys = (cipher: Pick<Cipher, 'decrypt'>) => {
  const cache = new LRUCache<string, SigningKeys>({ max: MAX_OPEN_SECRETS });
  return (sealedSecret: string, accountId: string): SigningKeys => {
    const cacheKey = `${accountId} ${sealedSecret}`;
    const keys = cache.get(cacheKey) ?? toSigningKeys(cipher.decrypt(sealedSecret, accountId));
    cache.set(cacheKey, keys);
    return keys;
  };
};

type AttemptDeps = {
  readonly poster: Poster;
  /** Whether a key was revoked at once. Throws if identity does not answer. */
  readonly isRevoked: (key: { accountId: string; keyId: string }, signal: AbortSignal) => Promise<boolean>;
  readonly keysOf: (sealedSecret: string, accountId: string) => SigningKeys;
  readonly openAddress: (encrypted: string, accountId: string) => string;
  readonly now: () => Date;
};

type ClaimedAttempt = Pick<ClaimedDelivery, 'id' | 'accountId' | 'attempt'>;

const buildOutcome = (
  { id, accountId, attempt: number }: ClaimedAttempt,
  result: Omit<Attempt, 'number'>,
  retryAfterMs = 0,
): AttemptOutcome => ({
  id,
  accountId,
  wasSent: true,
  attempt: { number, ...result },
  // An interrupted attempt is our fault, so its retry takes the shortest wait.
  retryMs: Math.max(retryAfterMs, retryWaitMs(result.error === 'interrupted' ? 1 : number, Math.random())),
});

const interrupted = { status: null, milliseconds: null, error: 'interrupted', answer: null } as const;

/** The outcome of an attempt whose result is unknown: the receiver may have it. */
export const interruptedOutcome = (delivery: ClaimedAttempt, at: Date): AttemptOutcome =>
  buildOutcome(delivery, { ...interrupted, at: at.toISOString() });

/** The outcome of a claim that was not sent: it does not count as an attempt. */
export const unsentOutcome = (delivery: ClaimedAttempt, at: Date): AttemptOutcome => ({
  ...interruptedOutcome(delivery, at),
  wasSent: false,
});

/** Posts a message to a chat service, whose address is the secret. A limit of it is no attempt: it says when it takes the next one. */
const postMessage = async (
  { poster, openAddress, now }: AttemptDeps,
  delivery: ClaimedDelivery,
  form: Exclude<ReceiverForm, 'signed'>,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { accountId, body, sealedSecret, receiverId, secretId } = delivery;
  const at = now().toISOString();
  const startedAt = performance.now();
  const url = openAddress(sealedSecret, accountId);
  const posted = await poster.post({ accountId, url, headers: MESSAGE_HEADERS, body }, signal);
  const milliseconds = Math.round(performance.now() - startedAt);
  const { status, answer, retryAfterMs } = posted;
  const { error, restMs } = readChatAnswer(form, posted);
  const outcome = buildOutcome(delivery, { status, answer, error, at, milliseconds }, retryAfterMs);
  if (restMs !== undefined) return { ...outcome, wasSent: false, restMs };
  return error === 'gone' ? { ...outcome, isGone: true, receiverId, secretId } : outcome;
};

/** Signs and posts one delivery. */
const postSigned = async (
  { poster, keysOf, now }: AttemptDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { id: deliveryId, accountId, url, kind, body, sealedSecret } = delivery;
  const at = now();
  const startedAt = performance.now();
  const keys = keysOf(sealedSecret, accountId);
  const headers = webhookHeaders({ deliveryId, kind, body, keys, at });
  const { retryAfterMs, ...result } = await poster.post({ accountId, url, headers, body }, signal);
  const milliseconds = Math.round(performance.now() - startedAt);
  return buildOutcome(delivery, { ...result, at: at.toISOString(), milliseconds }, retryAfterMs);
};

/** Sends one delivery. Nothing is sent to the URL of a revoked key, even if other services do not know that yet. */
export const makeAttempt = async (
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { accountId, keyId, form } = delivery;
  if (keyId !== null && (await deps.isRevoked({ accountId, keyId }, signal))) {
    const unsent = unsentOutcome(delivery, deps.now());
    return { ...unsent, attempt: { ...unsent.attempt, error: 'key_revoked' } };
  }
  return form === 'signed' ? postSigned(deps, delivery, signal) : postMessage(deps, delivery, form, signal);
};
