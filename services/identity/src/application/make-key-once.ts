import {
  type ChangedBy,
  IDEMPOTENCY_KEY_HOURS,
  type Idempotency,
  type Replay,
  serviceError,
} from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import { earlier, HOUR_MS, MINUTE_MS } from '../domain/time.ts';
import { findChangingKey } from '../store/api-keys.ts';
import type { Db } from '../store/database.ts';
import { findKeptReply, type KeptReply, keepReply, type ReplyId } from '../store/kept-replies.ts';
import { type Held, lockWithAsker } from './lock-for-change.ts';

/**
 * How long a key that rotated itself may repeat that: long enough for a client whose answer was lost, too short for somebody who
 * finds the key later and guesses at its Idempotency-Keys.
 */
const REPEAT_OF_ITS_END_MS = 5 * MINUTE_MS;

type Asked = {
  readonly name?: string | undefined;
  readonly dailyCreditCap?: number | null | undefined;
  readonly accountId: string;
  readonly by: ChangedBy;
  readonly idempotency?: Idempotency | undefined;
};

type Making<Reply extends object> = {
  /** The command, and the id of what it is about. */
  readonly operation: string;
  readonly schema: { parse(reply: unknown): Reply };
  /** Runs with the account and the key that asks locked. */
  make(held: Held): Promise<{ reply: NoInfer<Reply>; keyId: string }>;
};

const replyIdOf = ({ accountId, by, idempotency }: Asked, operation: string): ReplyId | null =>
  idempotency === undefined
    ? null
    : {
        accountId,
        operation,
        actor: by.keyId ?? 'session',
        digest: Buffer.from(idempotency.digest, 'hex'),
      };

/** Fields that were not sent are not there, which is something else than null. */
const wordsOf = ({ name, dailyCreditCap }: Asked): string => JSON.stringify({ name, dailyCreditCap });

const toReplay = async (tx: Db, vault: CoreDeps['vault'], { nonce, keyId }: KeptReply): Promise<Replay> => {
  const { sealedDigest } = await findChangingKey(tx, keyId);
  return { nonce, keyDigest: vault.unseal(sealedDigest, keyId) };
};

/**
 * Makes a key, or repeats the reply to an earlier request with the same Idempotency-Key. The reply is kept in the transaction
 * that makes the key, so a concurrent repeat waits for the account's lock and then finds it; refusals are not kept. A key that
 * is ending may repeat its last change for some minutes, and start nothing new. Throws account_closed, invalid_api_key,
 * key_is_ending or, for a repeat with another body, idempotency_key_reused.
 */
export const makeKeyOnce = async <Reply extends object>(
  { vault }: Pick<CoreDeps, 'vault'>,
  { tx, now }: Pick<Transaction, 'tx' | 'now'>,
  asked: Asked,
  { operation, schema, make }: Making<Reply>,
): Promise<Reply> => {
  const { accountId, by, idempotency } = asked;
  const { refusal, ...held } = await lockWithAsker(tx, { accountId, by, now });
  if (refusal && refusal.code !== 'key_is_ending') throw refusal;
  if (held.account.status === 'closed') throw serviceError('account_closed');
  const id = replyIdOf(asked, operation);
  const repeatableMs = refusal ? REPEAT_OF_ITS_END_MS : IDEMPOTENCY_KEY_HOURS * HOUR_MS;
  const kept = id && (await findKeptReply(tx, id, earlier(now, repeatableMs)));
  if (kept && kept.asked !== wordsOf(asked)) throw serviceError('idempotency_key_reused');
  if (kept) return { ...schema.parse(kept.reply), replay: await toReplay(tx, vault, kept) };
  if (refusal) throw refusal;
  const { reply, keyId } = await make(held);
  if (id && idempotency)
    await keepReply(tx, id, { asked: wordsOf(asked), nonce: idempotency.nonce, keyId, reply }, now);
  return reply;
};
