import { billing, type Principal, personOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { rolesOf, routes } from '@tds/http-api';
import { cancelledPageHtml } from '@tds/site';
import {
  callRoute,
  createAnswers,
  type Input,
  listPage,
  onRoute,
  type RouteDeps,
  replayHeaders,
} from '../serve/index.ts';
import { htmlAnswer } from './html-answer.ts';
import { refuseFields } from './refuse-fields.ts';

type CheckoutInput = Input<typeof routes.checkout>;
type Call = Pick<RouteDeps, 'call'>;

const checkoutAnswers = createAnswers(routes.checkout, 201);
const refundAnswers = createAnswers(routes.checkout, 202);

const readBuyer = ({ principal, body: { email } }: CheckoutInput) => {
  if (principal !== null)
    return { kind: 'account', accountId: principal.accountId, personId: personOf(principal) } as const;
  if (email === undefined)
    throw serviceError('invalid_email', {
      message: 'Send a credential, or the email address that gets the credits.',
    });
  return { kind: 'address', email } as const;
};

const buy = async ({ call }: Call, input: CheckoutInput) => {
  const { body, clientAddress, callContext, idempotencyKey } = input;
  refuseFields(body, ['purchase_id', 'reason'], 'is a field of a refund: add action=refund.');
  if (body.block === undefined) throw serviceError('invalid_credit_block');
  const request = { buyer: readBuyer(input), block: body.block, clientAddress, idempotencyKey };
  const { checkout: page, isReplayed } = await call(billing.openCheckout, request, callContext);
  return checkoutAnswers.json(page, { headers: replayHeaders(isReplayed) });
};

const refund = async ({ call }: Call, input: CheckoutInput) => {
  const { principal, body, callContext } = input;
  if (principal === null) throw serviceError('missing_api_key');
  refuseFields(body, ['block', 'email'], 'is a field of a purchase: leave action out.');
  if (body.purchase_id === undefined) throw serviceError('invalid_purchase_id');
  const { accountId, keyId } = principal;
  const by = { keyId, personId: personOf(principal) };
  const request = { accountId, purchaseId: body.purchase_id, reason: body.reason ?? null, by };
  input.exchange.hasMovedBalance = true;
  return refundAnswers.json(await call(billing.requestRefund, request, callContext));
};

const checkout = onRoute(routes.checkout, (deps, input) =>
  input.query.action === 'refund' ? refund(deps, input) : buy(deps, input),
);

/** HEAD closes nothing: it is not a visit of a person. */
const cancelCheckout = onRoute(routes.cancelCheckout, async ({ call }, { isHead, query, callContext }) => {
  const { purchase_id: purchaseId } = query;
  const reply = isHead ? null : await call(billing.cancelCheckout, { purchaseId }, callContext);
  return htmlAnswer(routes.cancelCheckout, cancelledPageHtml(reply?.isClosed ?? false));
});

/** HEAD opens none: its answer would not show it. */
const openPortal = onRoute(routes.openPortal, async ({ call, config }, { isHead, principal, callContext }) => {
  const { accountId } = principal;
  return createAnswers(routes.openPortal).json(
    isHead ? { url: config.publicUrl } : await call(billing.openPortal, { accountId }, callContext),
  );
});

/** A receipt has the buyer's name and address. */
const showsReceipts = ({ keyId, role }: Principal): boolean =>
  keyId === null && rolesOf(routes.openPortal).includes(role ?? 'owner');

const listPurchases = callRoute(routes.listPurchases, {
  body: ({ purchases, total }, { principal, query }) => ({
    purchases: showsReceipts(principal)
      ? purchases
      : purchases.map((purchase) => ({ ...purchase, receipt_url: null })),
    ...listPage(routes.listPurchases, query, { count: purchases.length, total }),
  }),
});

const listPrices = onRoute(routes.listPrices, async ({ call, prices }, { callContext }) =>
  createAnswers(routes.listPrices).json(await prices(() => call(billing.listPrices, {}, callContext))),
);

const receivePaymentEvent = callRoute(routes.receivePaymentEvent, {
  body: ({ isNew }) => ({ already_processed: !isNew }),
});

export const billingRoutes = {
  ...{ listPrices, checkout, cancelCheckout, receivePaymentEvent, openPortal, listPurchases },
};
