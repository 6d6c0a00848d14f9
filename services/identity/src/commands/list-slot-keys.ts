import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { findSlotKeys } from '../store/account-keys.ts';

export const listSlotKeys = onCommand(
  identity.listSlotKeys,
  async ({ db }: Pick<Deps, 'db'>, { accountId, limitId, since }) => ({
    keyIds: await findSlotKeys(db, { accountId, limitId, since: new Date(since) }),
  }),
);
