import { creditsLedger, purchaseRef } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { worthOf } from '../domain/purchase-worth.ts';
import { movedOf } from '../store/moved-money.ts';
import { insertRequest } from '../store/refund-requests.ts';
import type { Owned } from './plain-purchases.ts';

type Needed = Pick<Deps, 'call' | 'db' | 'now'>;

const readWorth = async ({ db }: Needed, purchase: Owned) => {
  const moved = (await movedOf(db, [purchase.id])).get(purchase.id);
  if (!moved) throw new Error(`the purchase ${purchase.id} is gone`);
  return {
    standing: worthOf({ ...purchase, ...moved }),
    reason: moved.hasDispute ? 'dispute' : 'refund',
  } as const;
};

const blockOf = ({ accountId, id }: Owned) => ({ accountId, ref: purchaseRef(id) });

/** False for a closed account. What it has paid and never had is given back. */
const grant = async ({ call, db, now }: Needed, purchase: Owned, context: Context): Promise<boolean> => {
  const block = { ...blockOf(purchase), amount: purchase.block };
  const { outcomes } = await call(creditsLedger.grantPurchases, { purchases: [block] }, context);
  if (outcomes[0] === 'granted') return true;
  if (outcomes[0] !== 'closed') throw new Error(`the ledger does not grant ${block.ref}: ${outcomes[0]}`);
  const asked = { purchaseId: purchase.id, reason: 'The account is closed.', state: 'taken' } as const;
  if (purchase.grantedAt === null) await insertRequest(db, asked, await now());
  return false;
};

/**
 * Brings the ledger to what a purchase is worth. The ledger is asked before our own rows are read: a refund takes its block back there
 * first and notes it here, so what is read in this order never makes up for a block that is being refunded.
 */
export const bringLedger = async (deps: Needed, purchase: Owned, context: Context): Promise<void> => {
  const block = blockOf(purchase);
  const { rows } = await deps.call(creditsLedger.lookUpGrants, { refs: [block.ref] }, context);
  const { standing, reason } = await readWorth(deps, purchase);
  const found = rows[0]?.standing ?? 0;
  if (rows.length === 0 && (standing === 0 || !(await grant(deps, purchase, context)))) return;
  const stands = rows.length === 0 ? purchase.block : found;
  if (stands !== standing)
    await deps.call(creditsLedger.correctBlock, { ...block, standing, reason }, context);
};
