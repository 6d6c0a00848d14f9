import { createApiKey, createSessionToken } from '@tds/contracts';
import type { ErrorCode } from '@tds/errors';
import type { Route } from '@tds/http-api';
import { bearer, type Customer, dashboard } from '#support/testing';

/** The answers of routes of each access. */
export type Outcomes = Readonly<Record<Exclude<Route['access'], 'public'>, ErrorCode | 'let in'>>;
/** What has ended before, of which nothing lets anybody in. */
export type Past = { readonly revokedKey: string; readonly closed: Customer };

export type Visitor = {
  readonly headers: (owner: Customer, past: Past) => Record<string, string>;
  readonly outcomes: Outcomes;
};

/** A key is no session, whatever it is worth. */
const byKey = (outcome: ErrorCode | 'let in'): Outcomes => ({
  key: outcome,
  'key-or-session': outcome,
  anyone: outcome,
  session: 'session_required',
});
const bySession = (outcome: ErrorCode | 'let in'): Outcomes => ({
  'key-or-session': outcome,
  anyone: outcome,
  session: outcome,
  key: 'cookie_not_accepted',
});
const headed = { 'x-service-dashboard': '1' };
export const strangersCookie = `svc_dashboard=${createSessionToken()}`;

/** Everybody who may come, by what they show. */
export const visitors: Readonly<Record<string, Visitor>> = {
  'no credential': {
    headers: () => headed,
    outcomes: {
      ...{ key: 'missing_api_key', 'key-or-session': 'missing_api_key', session: 'session_required' },
      anyone: 'let in',
    },
  },
  'a malformed key': { headers: () => bearer('svc_live_x'), outcomes: byKey('invalid_api_key') },
  'an unknown key': { headers: () => bearer(createApiKey()), outcomes: byKey('invalid_api_key') },
  'a revoked key': {
    headers: (_owner, { revokedKey }) => bearer(revokedKey),
    outcomes: byKey('invalid_api_key'),
  },
  'a key of a closed account': {
    headers: (_owner, { closed }) => bearer(closed.key),
    outcomes: byKey('account_closed'),
  },
  'a good key': { headers: ({ key }) => bearer(key), outcomes: byKey('let in') },
  'a good key and a good session': {
    headers: (owner) => ({ ...bearer(owner.key), ...dashboard(owner) }),
    outcomes: byKey('let in'),
  },
  'a bad key and a good session': {
    headers: (owner) => ({ ...bearer(createApiKey()), ...dashboard(owner) }),
    outcomes: byKey('invalid_api_key'),
  },
  'a malformed session': {
    headers: () => ({ cookie: 'svc_dashboard=x', ...headed }),
    outcomes: bySession('session_required'),
  },
  'an unknown session': {
    headers: () => ({ cookie: strangersCookie, ...headed }),
    outcomes: bySession('session_required'),
  },
  'a session of a closed account': {
    headers: (_owner, { closed }) => dashboard(closed),
    outcomes: bySession('session_required'),
  },
  'a good session': { headers: (owner) => dashboard(owner), outcomes: bySession('let in') },
};
