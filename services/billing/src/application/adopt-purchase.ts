import { creditBlock, serviceError, uuid } from '@tds/contracts';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { knownIds } from '../store/purchases.ts';
import type { Session } from '../upstream/wire.ts';

const MS = 1_000;

/** What `openSession` has written into everything that the processor has of a purchase. */
const ownMetadata = z.object({
  purchase_id: uuid,
  account_id: uuid.optional(),
  block: z.coerce.number().pipe(creditBlock),
});

/** The purchase that a session is of. Throws `payment_account_unknown` for one that we have not opened. */
export const purchaseIdOf = ({ client_reference_id: reference }: Session): string => {
  const id = uuid.safeParse(reference);
  if (!id.success) throw serviceError('payment_account_unknown');
  return id.data;
};

const read = (session: Session) => {
  const metadata = ownMetadata.safeParse(session.metadata);
  const { customer_email: email, amount_total: amount, currency } = session;
  if (!metadata.success || amount === null || !currency) throw serviceError('payment_account_unknown');
  const { purchase_id: id, account_id: accountId = null, block } = metadata.data;
  if (id !== session.client_reference_id) throw serviceError('payment_session_mismatch');
  if (accountId === null && !email) throw serviceError('payment_account_unknown');
  const sold = { id, accountId, block, amount, currency };
  return accountId === null
    ? ({ ...sold, boughtBy: 'stranger', email: email ?? null } as const)
    : ({ ...sold, boughtBy: 'account', email: null } as const);
};

type Needed = Pick<Deps, 'db' | 'processor' | 'now'>;

const adopt = async ({ db, processor, now }: Needed, sessionId: string): Promise<void> => {
  const session = await processor.readSession(sessionId);
  // Of another product that uses the same account of the processor.
  if (session === null) throw serviceError('payment_account_unknown');
  const at = await now();
  const { customer: customerId = null } = session;
  const times = {
    createdAt: session.created === undefined ? at : new Date(session.created * MS),
    expiresAt: new Date(session.expires_at * MS),
    changedAt: at,
  };
  // Its page is of no use any more: whether it was paid, the event says that is being dealt with.
  const data = [{ ...read(session), ...times, customerId, sessionId: session.id, state: 'expired' }];
  await db.purchase.createMany({ data, skipDuplicates: true });
};

type Told = { readonly purchaseId: string; readonly session: Pick<Session, 'id'> };

/**
 * Knows the purchases of sessions again that an earlier state of this database has lost: by the processor's own word, which is asked
 * for each, and not by an event's.
 */
export const knowPurchases = async (deps: Needed, told: readonly Told[]): Promise<void> => {
  if (told.length === 0) return;
  const known = await knownIds(
    deps.db,
    told.map(({ purchaseId }) => purchaseId),
  );
  const lost = told.filter(({ purchaseId }) => !known.has(purchaseId));
  await Promise.all(lost.map(({ session }) => adopt(deps, session.id)));
};
