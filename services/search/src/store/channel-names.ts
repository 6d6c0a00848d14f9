import type { Database } from './database.ts';

export const findChannelName = async (
  db: Database,
  name: string,
  now: Date,
): Promise<{ readonly channelId: string | null } | null> => {
  const row = await db.channelName.findUnique({ where: { name } });
  return row !== null && row.expiresAt > now ? { channelId: row.channelId } : null;
};

/** Without an id: the name is nobody's until then. */
export const saveChannelName = async (
  db: Database,
  name: string,
  channelId: string | null,
  expiresAt: Date,
): Promise<void> => {
  await db.channelName.upsert({
    where: { name },
    create: { name, channelId, expiresAt },
    update: { channelId, expiresAt },
  });
};
