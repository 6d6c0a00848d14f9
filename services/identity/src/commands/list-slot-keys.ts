import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { limitIdOf } from '../domain/slots.ts';
import { findKeysSince } from '../store/account-keys.ts';
import { findTier } from '../store/accounts.ts';

export const listSlotKeys = onCommand(
  identity.listSlotKeys,
  async ({ db }: Pick<Deps, 'db'>, { accountId, limitId, since }) => {
    const tier = await findTier(db, accountId);
    const keys = tier === null ? [] : await findKeysSince(db, accountId, new Date(since));
    const isNamed = ({ slot }: { slot: number }) =>
      tier !== null && limitIdOf({ accountId, tier }, slot) === limitId;
    return { keyIds: keys.filter(isNamed).map(({ id }) => id) };
  },
);
