import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { insertNewAccount } from '../application/open-account.ts';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import { lockAccountByEmail } from '../store/accounts.ts';

/** Whoever has paid gets an account however many there are of the mailbox: none of them was free. */
export const accountOfBuyer = onCommand(
  identity.accountOfBuyer,
  async ({ db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>, request, { requestId }) => {
    const email = normalizeEmail(request.email);
    if (email === null) throw serviceError('invalid_email');
    const at = now();
    // Of two who open it at once one fails, and finds it when it asks again.
    return messaging.transaction(db, async (tx, send) => {
      const known = await lockAccountByEmail(tx, email);
      if (known) return { accountId: known.id, isClosed: known.status === 'closed' };
      const { id } = await insertNewAccount({ tx, send, now: at }, { email, actor: 'billing', requestId });
      return { accountId: id, isClosed: false };
    });
  },
);
