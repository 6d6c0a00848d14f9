import escapeHtml from 'escape-html';
import type { Resource } from './state.ts';

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:16px system-ui;max-width:28rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.4rem;margin-right:.5rem}
</style></head><body><h1>${title}</h1>${body}</body></html>`;

const CENTS = 100;

const priceOf = ({ amount_total, currency }: Resource): string =>
  `${(Number(amount_total) / CENTS).toFixed(2)} ${String(currency).toUpperCase()}`;

/** Where a person pays with one click. No card is asked for: no money moves here. */
export const payPage = (session: Resource): string =>
  session.status === 'open'
    ? page(
        'Payment simulator',
        `<p>You buy credits for <b>${escapeHtml(priceOf(session))}</b>. No money moves: this is a simulator.</p>
<form method="post" action="/pay/${session.id}"><button>Pay</button></form>
<form method="post" action="/pay/${session.id}/cancel"><button>Cancel</button></form>`,
      )
    : page(
        'Payment simulator',
        `<p>This page is ${escapeHtml(String(session.status))}. Nothing is to be paid here.</p>`,
      );

export const portalPage = (charges: readonly Resource[]): string =>
  page(
    'Billing portal of the simulator',
    `<ul>${charges.map(({ id, amount, currency }) => `<li><a href="/receipt/${id}">${escapeHtml(String(id))}</a> ${escapeHtml(priceOf({ amount_total: amount, currency } as never))}</li>`).join('')}</ul>`,
  );

export const receiptPage = (charge: Resource): string =>
  page(
    'Receipt of the simulator',
    `<p>${escapeHtml(priceOf({ ...charge, amount_total: charge.amount }))}, charge ${escapeHtml(charge.id)}.</p>`,
  );
