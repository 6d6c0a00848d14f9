import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { notifyOnce } from '../application/notify.ts';
import type { Deps } from '../deps.ts';
import { findPlacedKeys } from '../store/account-keys.ts';
import type { Db } from '../store/database.ts';

const endingKeys = async (tx: Db, accountId: string, now: Date) =>
  (await findPlacedKeys(tx, accountId, now)).flatMap(({ name, prefix, overLimit, revokeAt }) =>
    overLimit && revokeAt !== null ? [{ name, prefix, endsAt: revokeAt.toISOString() }] : [],
  );

/** The holder learns of a lower tier, and which keys end for it; of a higher one the holder knows. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  async (deps: Pick<Deps, 'db' | 'messaging' | 'now'>, { accountId, tier }, context) => {
    const read = async (tx: Db) =>
      tier === 'free'
        ? ({ kind: 'tier_fell', keys: await endingKeys(tx, accountId, deps.now()) } as const)
        : null;
    await notifyOnce(deps, { accountId, read }, context);
  },
);
