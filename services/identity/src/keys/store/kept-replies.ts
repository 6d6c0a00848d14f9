import type { Bytes } from '../../domain/vault.ts';
import type { Db } from '../../store/database.ts';
import type { Prisma } from '../../store/prisma/client.ts';

/** Identifies repeats of a request. */
export type ReplyId = {
  readonly accountId: string;
  readonly actor: string;
  readonly operation: string;
  readonly digest: Bytes;
};

export type StoredReply = {
  /** The request's fields. */
  readonly asked: string;
  readonly nonce: string;
  /** The new key. */
  readonly keyId: string;
  readonly reply: unknown;
};

/** The reply kept after `since`. Requires the account's lock. */
export const findStoredReply = (db: Db, id: ReplyId, since: Date): Promise<StoredReply | null> =>
  db.keptReply.findFirst({
    where: { ...id, createdAt: { gt: since } },
    select: { asked: true, nonce: true, keyId: true, reply: true },
  });

/** Replaces a reply that is too old to be repeated. Requires the account's lock. */
export const saveReply = async (db: Db, id: ReplyId, { reply, ...fields }: StoredReply, now: Date) => {
  const data = { ...fields, reply: reply as Prisma.InputJsonValue, createdAt: now };
  await db.keptReply.upsert({
    where: { accountId_actor_operation_digest: id },
    create: { ...id, ...data },
    update: data,
  });
};
