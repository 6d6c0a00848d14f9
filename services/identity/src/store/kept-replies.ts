import type { Bytes } from '../domain/vault.ts';
import type { Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

/** What makes two requests the same one. */
export type ReplyId = {
  readonly accountId: string;
  readonly actor: string;
  readonly operation: string;
  readonly digest: Bytes;
};

export type KeptReply = {
  /** What was asked for. */
  readonly asked: string;
  readonly nonce: string;
  /** The key that was made. */
  readonly keyId: string;
  readonly reply: unknown;
};

/** The reply that was kept after `since`. The caller holds the account locked. */
export const findKeptReply = (db: Db, id: ReplyId, since: Date): Promise<KeptReply | null> =>
  db.keptReply.findFirst({
    where: { ...id, createdAt: { gt: since } },
    select: { asked: true, nonce: true, keyId: true, reply: true },
  });

/** In the place of one that is too old to be replayed. The caller holds the account locked. */
export const keepReply = async (
  db: Db,
  id: ReplyId,
  { reply, ...kept }: KeptReply,
  now: Date,
): Promise<void> => {
  const data = { ...kept, reply: reply as Prisma.InputJsonValue, createdAt: now };
  await db.keptReply.upsert({
    where: { accountId_actor_operation_digest: id },
    create: { ...id, ...data },
    update: data,
  });
};
