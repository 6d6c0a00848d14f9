import { billing, routes, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { refuseFrozen } from './billing-bodies.ts';
import { answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';

type CheckoutInput = Input<typeof routes.checkout>;
type Call = Pick<Deps, 'call'>;

const opened = answersOf(routes.checkout, 201);
const accepted = answersOf(routes.checkout, 202);

/** Fields of the other thing that the route does. */
const refuseFields = (
  body: CheckoutInput['body'],
  names: readonly (keyof CheckoutInput['body'])[],
  why: string,
): void => {
  const [odd] = names.filter((name) => body[name] !== undefined);
  if (odd !== undefined) throw serviceError('unknown_parameter', { message: `${odd} ${why}` });
};

const buyerOf = ({ principal, body: { email } }: CheckoutInput) => {
  if (principal !== null) return { kind: 'account', accountId: principal.accountId } as const;
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
  const request = { buyer: buyerOf(input), block: body.block, clientAddress, idempotencyKey };
  const made = await call(billing.openCheckout, request, callContext);
  const { checkoutUrl, purchaseId, block, amount, currency, expiresAt } = made;
  const page = {
    ...{ checkout_url: checkoutUrl, purchase_id: purchaseId, block, amount, currency },
    expires_at: expiresAt,
  };
  return opened.json(page, made.isReplayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {});
};

const refund = async ({ call }: Call, input: CheckoutInput) => {
  const { principal, body, callContext } = input;
  if (principal === null) throw serviceError('missing_api_key');
  refuseFields(body, ['block', 'email'], 'is a field of a purchase: leave action out.');
  if (body.purchase_id === undefined) throw serviceError('invalid_purchase_id');
  const { accountId } = principal;
  const asked = { accountId, purchaseId: body.purchase_id, reason: body.reason ?? null };
  input.balanceMayHaveMoved();
  return accepted.json({ refund: await call(billing.requestRefund, asked, callContext) });
};

export const checkout = onRoute(routes.checkout, async (deps: Call, input) => {
  refuseFrozen(input.principal);
  return input.query.action === 'refund' ? refund(deps, input) : buy(deps, input);
});
