import { type Caller, type Cast, everyone } from './callers.ts';
import type { FuzzRequest } from './request.ts';

/** These end the key that they come with. */
const endingKeys = new Set(['revokeKey', 'rotateKey', 'deleteFromAccount']);

const placeholder = /\{\{(\w+)\}\}/g;

/** A bent method or path may end a credential too: only what reads uses those that must last. */
const castFor = ({ route, method, target }: FuzzRequest, { callers, expendable, leaving }: Cast) => {
  if (route === 'logout' || /logout/i.test(target)) return [leaving];
  return endingKeys.has(route) || method === 'DELETE' || /rotate/i.test(target) ? expendable : callers;
};

const namesFor = (request: FuzzRequest, index: number, cast: Cast, host: string) => {
  const from = castFor(request, cast);
  const mine = from[index % from.length] as Caller;
  const other = cast.callers[(index + 1) % cast.callers.length] as Caller;
  return {
    host,
    key: mine.key,
    keyId: mine.keyId,
    accountId: mine.accountId,
    otherAccountId: other.accountId,
    session: mine.session,
    feedId: mine.feedId,
    secret: mine.feedSecret,
    otherKey: other.key,
    otherKeyId: other.keyId,
    otherSession: other.session,
    KEYID: mine.keyId.toUpperCase(),
    revokedKey: cast.revoked.key,
    unknownKey: cast.unknownKey,
    unknownSession: cast.unknownSession,
  } as Readonly<Record<string, string>>;
};

/** The request with the credentials of this run. */
export const fillIn = (request: FuzzRequest, index: number, cast: Cast, host: string): FuzzRequest => {
  const names = namesFor(request, index, cast, host);
  const fill = (text: string): string =>
    text.replaceAll(placeholder, (whole, name: string) =>
      Object.hasOwn(names, name) ? String(names[name]) : whole,
    );
  return {
    ...request,
    target: fill(request.target),
    headers: request.headers.map(([name, value]) => [name, fill(value)]),
    body: typeof request.body === 'string' ? fill(request.body) : request.body,
  };
};

/** Whose key it carries, where it is one of the run's. */
export const accountsByKey = (cast: Cast): ReadonlyMap<string, string> =>
  new Map(everyone(cast).map(({ key, accountId }) => [key, accountId]));
