import { htmlPage } from '@tds/api-docs';

/** Where a buyer comes back to from the page of the payment processor. */
export const paidPageHtml = (): string =>
  htmlPage(
    'Thank you',
    `<p>Your payment is on its way to us. The credits are in your account within seconds; a job that had to wait for them goes on by
itself.</p>
<p>You bought with an email address and have no API key yet? Sign in to that address with a code
(<code>POST /v1/auth/code</code>, then <code>POST /v1/auth/verify</code>): that opens the account, and shows its first key.</p>
<p>An untouched block can be given back: <code>POST /v1/checkout?action=refund</code>. <code>GET /v1/billing/purchases</code> lists what
you have bought.</p>`,
  );

export const cancelledPageHtml = (): string =>
  htmlPage(
    'Nothing was paid',
    `<p>You left the page without paying, and nothing was charged. It stays open for half an hour: until then you can go back and pay
there, and a new one is opened after that.</p>`,
  );
