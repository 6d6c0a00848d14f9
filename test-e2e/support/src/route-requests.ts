import type { Route } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import type { Customer } from './customer.ts';

export type RouteRequest = { readonly path: string; readonly body?: object };
type Made = { readonly search?: string; readonly body?: object };

let videos = 0;

/** One good request per route, by its id. */
const requests: Readonly<Record<string, (owner: Customer) => Made>> = {
  requestCode: ({ email }) => ({ body: { email } }),
  verifyCode: ({ email }) => ({ body: { email, code: '000000', accept_terms: true } }),
  logout: () => ({}),
  listSessions: () => ({}),
  endOtherSessions: () => ({}),
  endSession: () => ({}),
  listKeys: () => ({}),
  createKey: () => ({ body: { name: 'another' } }),
  updateKey: () => ({ body: { name: 'renamed', daily_credit_cap: 5 } }),
  revokeKey: () => ({}),
  rotateKey: () => ({}),
  getAccount: () => ({}),
  getUsage: () => ({}),
  closeAccount: ({ email }) => ({ search: '?resource=account', body: { confirm: email } }),
  // Each a video that nobody has read, so that it costs a credit.
  getTranscript: () => ({ search: `?video_id=${loadVideoId(++videos)}` }),
  getVideo: () => ({ search: `?video_id=${loadVideoId(1)}` }),
};

/** A request of the route that is right in all but its credential; ids in the path are those of `owner`. */
export const requestOf = (row: Route, owner: Customer): RouteRequest => {
  const make = requests[row.id];
  if (!make) throw new Error(`write one good request of ${row.id} into route-requests.ts`);
  const { search = '', body } = make(owner);
  const path = row.path.replace('{keyId}', owner.keyId).replace('{sessionId}', owner.sessionId);
  return { path: path + search, ...(body && { body }) };
};
