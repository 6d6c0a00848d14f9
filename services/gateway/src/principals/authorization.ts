import { type AccessScope, accessScope, isBounded, type Principal } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { keyStatesOf, type Route, rolesOf } from '@tds/http-api';

type ScopeHolder = Pick<Principal, 'scopes'>;

/** Names what the app has and what it needs: an app that asks for the latter alone would lose the former. */
export const insufficientScope = (
  { scopes = [] }: ScopeHolder,
  scope: AccessScope | undefined,
): ServiceError => {
  const neededScopes = accessScope.options.filter((one) => one === scope || scopes.includes(one));
  return serviceError('insufficient_scope', {
    extras: { needed_scopes: scope === undefined ? [] : neededScopes },
  });
};

/** False for a connected app that was not allowed what the row needs. */
export const hasScope = ({ scope }: Pick<Route, 'scope'>, { scopes }: ScopeHolder): boolean =>
  scopes === undefined || (scope !== undefined && scopes.includes(scope));

/** A connected app may be allowed cached transcripts alone. */
export const mayFetch = ({ scopes }: ScopeHolder): boolean => scopes?.includes('fetch') ?? true;

type Query = Readonly<Record<string, unknown>> | null;

/** Whether the request is of the form that takes no capped key. */
const needsNoCap = ({ uncapped }: Route, query: Query): boolean =>
  uncapped === true ||
  (uncapped !== undefined && Object.entries(uncapped).every(([name, value]) => query?.[name] === value));

/**
 * Answers whether a credential may do this: throws if an app, the person's role or a cap forbids it, a frozen account starts work or the key's
 * state is not allowed. Requests that may be repeats pass: only the owning service knows whether they are, and who began the work that they name.
 */
export const createAuthorization = (row: Route) => {
  const states = keyStatesOf(row);
  const roles = rolesOf(row);
  return (principal: Principal | null, query: Query, hasIdempotencyKey: boolean): void => {
    if (principal === null) return;
    if (!hasScope(row, principal)) throw insufficientScope(principal, row.scope);
    // An identity of the release before knows owners only.
    if (!roles.includes(principal.role ?? 'owner')) throw serviceError('role_required');
    if (isBounded(principal) && needsNoCap(row, query)) throw serviceError('uncapped_key_required');
    if (row.startsWork && principal.status === 'frozen') throw serviceError('account_frozen');
    const mayRepeat = row.endingKeysRepeat && hasIdempotencyKey;
    if (!states.includes(principal.keyState) && !mayRepeat) throw serviceError('key_is_ending');
  };
};
