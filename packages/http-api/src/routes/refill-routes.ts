import { billing, CREDIT_BLOCKS, payers } from '@tds/contracts';
import { defineRoutes, field, okAnswer } from '../define-route.ts';

const { threshold, block, monthlyLimit } = billing.putRefill.request.shape;
const responses = { 200: okAnswer('The refill', 'RefillAnswer', billing.getRefill.reply.shape) };
const shared = { path: '/v1/refill', access: 'session', roles: payers, responses } as const;

/** By sessions alone: what a key or an app could set would go on charging a person's card after it. */
export const refillRoutes = defineRoutes('Billing', {
  getRefill: {
    ...shared,
    method: 'GET',
    calls: [billing.getRefill],
    summary: 'Show how the account refills its credits by itself',
    description: 'It is off until an owner or billing turns it on. Keys and apps neither see nor change it.',
  },

  putRefill: {
    ...shared,
    method: 'PUT',
    calls: [billing.putRefill],
    startsWork: true,
    summary: 'Refill by itself: below a threshold buy a block, at most so much in a UTC month',
    description:
      'From then on a block is bought when fewer credits than threshold can be spent, at the price of today, until the month has no money left for another one: monthly_limit counts what refills have cost in the UTC month, with one under way, also if it was given back. It needs a card, which POST /v1/refill/card sets up; it is card_missing until then. One block is bought at a time, and jobs that wait for credits go on by themselves. Owners and billing are mailed each time, with what is left of the month. What the bank wants the holder of the card for, a declined and an expired card pause it: that is mailed once, and nothing is charged until it is put again, or another card is set up. It ends with a dispute, with the freezing or closing of the account, and when the person who set up the card leaves, is removed or becomes a member. A new account is refilled a second time once its deliveries have cost 100 credits. A price that changes pauses it.',
    body: {
      threshold: field(
        threshold,
        'invalid_refill_threshold',
        'Below how many credits a block is bought: 1 to the credits of the block',
      ),
      block: field(block, 'invalid_credit_block', `What is bought: one of ${CREDIT_BLOCKS.join(', ')}`),
      monthly_limit: field(
        monthlyLimit,
        'invalid_monthly_limit',
        'The most money of a UTC month, in the smallest unit of the currency of GET /v1/checkout; the price of the block or more',
      ),
    },
  },

  endRefill: {
    ...shared,
    method: 'DELETE',
    calls: [billing.endRefill],
    summary: 'Turn refilling off, and forget its card',
    description:
      'The card is removed from the payment processor, too. What is being charged at that moment is still charged; its block can be given back. A repeat changes nothing.',
  },

  openCardPage: {
    method: 'POST',
    path: '/v1/refill/card',
    calls: [billing.openCardPage],
    access: 'session',
    roles: payers,
    startsWork: true,
    summary: "Get the payment processor's page where the card of the refill is set up",
    description:
      'Nothing is paid there. The card belongs to the person of the session, and is known to the processor alone; it takes the place of another one a moment after the page. The page is open for half an hour, and counts among the ten checkouts of an hour (rate_limit). Put the refill first: refill_not_found.',
    responses: { 201: okAnswer('A page to set up a card on', 'CardPage', billing.openCardPage.reply.shape) },
  },
});
