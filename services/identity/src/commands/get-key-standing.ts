import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { standingOf } from '../domain/key-standing.ts';
import { limitIdOf } from '../domain/slots.ts';
import { type FoundStanding, findKeyStanding } from '../store/key-standing.ts';

const keyOf = ({ keyId, revokeAt, endedAtOnce }: FoundStanding) =>
  keyId === null ? null : { revokeAt, endedAtOnce: endedAtOnce === true };

/** An account that is not known here was lost with an older copy of the database: nothing may be spent in its name. */
export const getKeyStanding = onCommand(
  identity.getKeyStanding,
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, asked) => {
    const at = now();
    const found = await findKeyStanding(db, asked, at);
    if (found === null) throw serviceError('account_closed');
    const { accountStatus, tier, accountCreatedAt, slot, dailyCreditCap } = found;
    return {
      accountStatus,
      tier,
      accountCreatedAt: accountCreatedAt.toISOString(),
      standing: asked.keyId === null ? 'active' : standingOf(keyOf(found), at),
      limitId: slot === null ? null : limitIdOf({ accountId: asked.accountId, tier }, slot),
      dailyCreditCap,
    };
  },
);
