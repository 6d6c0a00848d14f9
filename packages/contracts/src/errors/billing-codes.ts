import { defineCodes, invalidField } from './define-codes.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;

/** The sender of these is the payment processor: a mismatch needs a look at its dashboard. */
const paymentEvent = (message: string) => ({
  message,
  remedy: 'Compare the event with the purchase in the dashboard of the payment processor.',
});

/** Mistakes with purchases and refunds, and in events of the payment processor. */
export const billingCodes = defineCodes('InvalidInput', {
  invalid_credit_block: invalidField('block', 'block is one of 5, 20, 50, 200, 1000.'),
  invalid_purchase_id: invalidField('purchase_id', 'purchase_id is a uuid.'),
  purchase_not_found: {
    status: NOT_FOUND,
    message: 'No such purchase belongs to this account.',
    remedy: 'List the purchases and send the id of one of them.',
    place: 'billing',
  },
  purchase_withdrawn: {
    status: CONFLICT,
    message: 'The money of this purchase was given back, or a bank holds it: there are no credits to accept.',
    remedy: 'Buy another block of credits.',
    place: 'billing',
  },
  refund_block_used: {
    status: CONFLICT,
    message: 'Only an untouched block can be refunded.',
    remedy: 'Request the refund of a block that is refundable in the list of purchases.',
    place: 'billing',
  },
  refund_reason_too_long: invalidField('reason', 'The reason has at most 500 characters.'),
  payment_account_unknown: paymentEvent('The payment event names no known account.'),
  payment_body_invalid_utf8: paymentEvent('The payment event is not valid UTF-8.'),
  payment_body_too_large: { status: 413, ...paymentEvent('The payment event is too large.') },
  payment_content_length_invalid: paymentEvent('The payment event needs a valid Content-Length.'),
  payment_customer_mismatch: paymentEvent('The payment event names another customer.'),
  payment_dispute_mismatch: paymentEvent('The dispute does not fit the purchase.'),
  payment_event_invalid: paymentEvent('The payment event or its signature is not valid.'),
  payment_product_mismatch: paymentEvent('The payment event names another product.'),
  payment_refund_mismatch: paymentEvent('The refund does not fit the purchase.'),
  payment_session_mismatch: paymentEvent('The payment event names another session.'),
});
