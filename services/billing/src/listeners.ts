import { billing, creditsLedger, identity, payers } from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import { endRefill, enqueueRefilling } from './application/refills.ts';
import type { Deps } from './deps.ts';
import { findRefill } from './store/refills.ts';

/** Refilling ends with the closing or freezing of an account. The money of blocks of which a closed one has used nothing is refunded. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async (deps: Deps, { accountId, status }, context) => {
    if (status === 'active') return;
    const now = await deps.now();
    await runOnce(deps, context, async (tx, send) => {
      await endRefill({ tx, send, now }, accountId, `account_${status}`);
      if (status === 'closed')
        await send.enqueue(billing.settleClosedAccount, { accountId }, { key: accountId });
    });
  },
);

/** Refilling ends when the person whose card it charges no longer moves the money of the account. */
export const personChanged = onEvent(
  identity.personChanged,
  async (deps: Deps, { accountId, personId, role, isRemoved }, context) => {
    if (!isRemoved && payers.includes(role)) return;
    const now = await deps.now();
    await runOnce(deps, context, async (tx, send) => {
      if ((await findRefill(tx, accountId))?.personId === personId)
        await endRefill({ tx, send, now }, accountId, 'payer_removed');
    });
  },
);

export const balanceRanLowForRefill = onEvent(
  creditsLedger.balanceRanLowForRefill,
  async (deps: Deps, { accountId }, context) => {
    await runOnce(deps, context, (_tx, send) => enqueueRefilling(send, accountId));
  },
);
