import type { IncomingMessage, ServerResponse } from 'node:http';
import escapeHtml from 'escape-html';
import { notFound } from './api-error.ts';
import { setUpCard } from './cards.ts';
import { payForSession } from './sessions.ts';
import type { Simulation } from './simulation.ts';
import { find, type Resource } from './state.ts';

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:16px system-ui;max-width:28rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.4rem;margin-right:.5rem}
</style></head><body><h1>${title}</h1>${body}</body></html>`;

const CENTS = 100;

const priceOf = ({ amount_total, currency }: Resource): string =>
  `${(Number(amount_total) / CENTS).toFixed(2)} ${String(currency).toUpperCase()}`;

/** Where a person pays, or sets up a card, with one click. No card is asked for: no money moves here. */
const payPage = (session: Resource): string =>
  session.status === 'open'
    ? page(
        'Payment simulator',
        `<p>You ${session.mode === 'setup' ? 'set up a card' : `buy credits for <b>${escapeHtml(priceOf(session))}</b>`}. No money moves: this is a simulator.</p>
<form method="post" action="/pay/${session.id}"><button>${session.mode === 'setup' ? 'Save the card' : 'Pay'}</button></form>
<form method="post" action="/pay/${session.id}/cancel"><button>Cancel</button></form>`,
      )
    : page(
        'Payment simulator',
        `<p>This page is ${escapeHtml(String(session.status))}. Nothing is to be paid here.</p>`,
      );

const portalPage = (charges: readonly Resource[]): string =>
  page(
    'Billing portal of the simulator',
    `<ul>${charges.map(({ id, amount, currency }) => `<li><a href="/receipt/${id}">${escapeHtml(String(id))}</a> ${escapeHtml(priceOf({ amount_total: amount, currency } as never))}</li>`).join('')}</ul>`,
  );

const receiptPage = (charge: Resource): string =>
  page(
    'Receipt of the simulator',
    `<p>${escapeHtml(priceOf({ ...charge, amount_total: charge.amount }))}, charge ${escapeHtml(charge.id)}.</p>`,
  );

const OK = 200;
const SEE_OTHER = 303;

type Page = { readonly html: string } | { readonly location: unknown };

const payAnswer = (
  { state, origin, emit }: Simulation,
  method: string | undefined,
  [id, action]: readonly (string | undefined)[],
): Page => {
  const session = find(state, 'sessions', id);
  if (method !== 'POST') return { html: payPage(session) };
  if (action === 'cancel') return { location: session.cancel_url };
  if (session.mode === 'setup') return { location: setUpCard(state, session.id, emit).success_url };
  return { location: payForSession(state, origin, session.id, emit).success_url };
};

const renderPage = (simulation: Simulation, method: string | undefined, pathname: string): Page => {
  const { state } = simulation;
  const [, place, ...segments] = pathname.split('/');
  if (place === 'pay') return payAnswer(simulation, method, segments);
  if (place === 'receipt') return { html: receiptPage(find(state, 'charges', segments[0])) };
  if (place !== 'portal') throw notFound('page', pathname);
  const customer = find(state, 'customers', segments[0]);
  return {
    html: portalPage([...state.charges.values()].filter((charge) => charge.customer === customer.id)),
  };
};

/** The pages for a person. */
export const answerPage = (
  simulation: Simulation,
  { method }: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
): void => {
  const page = renderPage(simulation, method, pathname);
  if ('html' in page) response.writeHead(OK, { 'content-type': 'text/html; charset=utf-8' }).end(page.html);
  else response.writeHead(SEE_OTHER, { location: String(page.location) }).end();
};
