import { billing, routes, serviceError, uuid } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { refuseFrozen, toPurchaseBody } from './billing-bodies.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.acceptPurchase);

export const acceptPurchase = onRoute(routes.acceptPurchase, async ({ call }: Pick<Deps, 'call'>, input) => {
  const { principal, params, callContext } = input;
  refuseFrozen(principal);
  const purchaseId = uuid.safeParse(params.purchaseId);
  // What is no id is that of no purchase.
  if (!purchaseId.success) throw serviceError('purchase_not_found');
  input.balanceMayHaveMoved();
  const asked = { accountId: principal.accountId, purchaseId: purchaseId.data };
  return answers.json({ purchase: toPurchaseBody(await call(billing.acceptPurchase, asked, callContext)) });
});
