import type { IncomingMessage, ServerResponse } from 'node:http';
import { missing } from './api-error.ts';
import { payPage, portalPage, receiptPage } from './pages.ts';
import { payForSession } from './sessions.ts';
import type { Simulation } from './simulation.ts';
import { find } from './state.ts';

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
  return { location: payForSession(state, origin, session.id, emit).success_url };
};

const pageOf = (simulation: Simulation, method: string | undefined, pathname: string): Page => {
  const { state } = simulation;
  const [, place, ...rest] = pathname.split('/');
  if (place === 'pay') return payAnswer(simulation, method, rest);
  if (place === 'receipt') return { html: receiptPage(find(state, 'charges', rest[0])) };
  if (place !== 'portal') throw missing('page', pathname);
  const customer = find(state, 'customers', rest[0]);
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
  const page = pageOf(simulation, method, pathname);
  if ('html' in page) response.writeHead(OK, { 'content-type': 'text/html; charset=utf-8' }).end(page.html);
  else response.writeHead(SEE_OTHER, { location: String(page.location) }).end();
};
