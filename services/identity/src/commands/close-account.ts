import { identity, type ServiceError, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { changeStatus } from '../application/account-changes.ts';
import { forgetKeysOfAccount } from '../application/forget-principals.ts';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import { type Account, lockAccount } from '../store/accounts.ts';

/** A frozen account is not closed by its holder: the reason for the freeze has to be settled first. */
const refusal = ({ email, status }: Account, confirm: string): ServiceError | null => {
  if (status === 'closed') return serviceError('account_closed');
  if (normalizeEmail(confirm) !== email) return serviceError('confirmation_required');
  return status === 'frozen' ? serviceError('account_frozen') : null;
};

export const closeAccount = onCommand(
  identity.closeAccount,
  async (deps: Deps, { accountId, confirm, clientAddress }, { requestId }) => {
    const now = deps.now();
    await deps.messaging.transaction(deps.db, async (tx, send) => {
      const account = await lockAccount(tx, accountId);
      const refused = refusal(account, confirm);
      if (refused) throw refused;
      const who = { actor: 'holder', requestId, clientAddress } as const;
      await changeStatus(
        { tx, send, now },
        { email: account.email, status: 'closed', frozenReason: null, ...who },
      );
    });
    await forgetKeysOfAccount(deps, accountId);
    return { closedAt: now.toISOString() };
  },
);
