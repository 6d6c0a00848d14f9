import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readPage } from '../store/entry-pages.ts';
import { isKnownKey } from '../store/usage.ts';

export const getLedger = onCommand(
  creditsLedger.getLedger,
  async ({ db, sql }: Pick<Deps, 'db' | 'sql'>, request) => {
    const { accountId, keyId } = request;
    const page = await readPage(sql, request);
    const isSeen = keyId === null || page.total > 0;
    return { ...page, isKnownKey: isSeen || (await isKnownKey(db, accountId, keyId)) };
  },
);
