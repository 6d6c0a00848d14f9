import { billing, routes } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { cancelledPageHtml } from '../http/checkout-pages.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.cancelCheckout);

/** A HEAD closes nothing: it is no visit of a person. */
export const cancelCheckout = onRoute(
  routes.cancelCheckout,
  async ({ call }: Pick<Deps, 'call'>, { isHead, query: { purchase_id: purchaseId }, callContext }) => {
    const { isClosed } = isHead
      ? { isClosed: false }
      : await call(billing.cancelCheckout, { purchaseId }, callContext);
    return answers.composed('text/html; charset=utf-8', cancelledPageHtml(isClosed));
  },
);
