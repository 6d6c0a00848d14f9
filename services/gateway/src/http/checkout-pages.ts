import { htmlPage } from '@tds/api-docs';

/** Where a buyer comes back to from the page of the payment processor. */
export const paidPageHtml = (): string =>
  htmlPage(
    'Thank you',
    `<p>Your payment is on its way to us. The credits are in your account within seconds; a job that had to wait for them goes on by
itself.</p>
<p>You bought with an email address? Its owner signs in to it with a code (<code>POST /v1/auth/code</code>, then
<code>POST /v1/auth/verify</code>), finds the purchase in <code>GET /v1/billing/purchases</code>, and accepts it with
<code>POST /v1/billing/purchases/{purchase_id}/accept</code>. If nobody has after 90 days, the money goes back.</p>
<p>An untouched block can be given back: <code>POST /v1/checkout?action=refund</code>. <code>GET /v1/billing/purchases</code> lists what
you have bought.</p>`,
  );

export const cancelledPageHtml = (isClosed: boolean): string =>
  isClosed
    ? htmlPage(
        'Nothing was paid',
        `<p>You left the page without paying. It is closed, and nothing was charged: <code>POST /v1/checkout</code> opens another
one.</p>`,
      )
    : htmlPage(
        'This page is not open',
        `<p>There is no open page to close here: it is unknown, or paid. <code>GET /v1/billing/purchases</code> shows what you have
bought.</p>`,
      );
