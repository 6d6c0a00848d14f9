import { createApiKey, createSessionToken } from '@tds/contracts';
import { bearer, type Customer, dashboard } from '@tds/e2e-support/testing';
import type { ErrorCode } from '@tds/errors';
import type { Route } from '@tds/http-api';

/** The answers of routes of each access. */
export type Verdicts = Readonly<Record<Exclude<Route['access'], 'public'>, ErrorCode | 'let in'>>;
/** What has ended before, of which nothing lets anybody in. */
export type Past = { readonly revokedKey: string; readonly closed: Customer };

export type Visitor = {
  readonly headers: (owner: Customer, past: Past) => Record<string, string>;
  readonly verdicts: Verdicts;
};

/** A key is no session, whatever it is worth. */
const byKey = (verdict: ErrorCode | 'let in'): Verdicts => ({
  key: verdict,
  'key-or-session': verdict,
  anyone: verdict,
  session: 'session_required',
});
const bySession = (verdict: ErrorCode | 'let in'): Verdicts => ({
  'key-or-session': verdict,
  anyone: verdict,
  session: verdict,
  key: 'cookie_not_accepted',
});
const headed = { 'x-service-dashboard': '1' };
export const strangersCookie = `svc_dashboard=${createSessionToken()}`;

/** Everybody who may come, by what they show. */
export const visitors: Readonly<Record<string, Visitor>> = {
  'no credential': {
    headers: () => headed,
    verdicts: {
      ...{ key: 'missing_api_key', 'key-or-session': 'missing_api_key', session: 'session_required' },
      anyone: 'let in',
    },
  },
  'a malformed key': { headers: () => bearer('svc_live_x'), verdicts: byKey('invalid_api_key') },
  'an unknown key': { headers: () => bearer(createApiKey()), verdicts: byKey('invalid_api_key') },
  'a revoked key': {
    headers: (_owner, { revokedKey }) => bearer(revokedKey),
    verdicts: byKey('invalid_api_key'),
  },
  'a key of a closed account': {
    headers: (_owner, { closed }) => bearer(closed.key),
    verdicts: byKey('account_closed'),
  },
  'a good key': { headers: ({ key }) => bearer(key), verdicts: byKey('let in') },
  'a good key and a good session': {
    headers: (owner) => ({ ...bearer(owner.key), ...dashboard(owner) }),
    verdicts: byKey('let in'),
  },
  'a bad key and a good session': {
    headers: (owner) => ({ ...bearer(createApiKey()), ...dashboard(owner) }),
    verdicts: byKey('invalid_api_key'),
  },
  'a malformed session': {
    headers: () => ({ cookie: 'svc_dashboard=x', ...headed }),
    verdicts: bySession('session_required'),
  },
  'an unknown session': {
    headers: () => ({ cookie: strangersCookie, ...headed }),
    verdicts: bySession('session_required'),
  },
  'a session of a closed account': {
    headers: (_owner, { closed }) => dashboard(closed),
    verdicts: bySession('session_required'),
  },
  'a good session': { headers: (owner) => dashboard(owner), verdicts: bySession('let in') },
};
