import { type AccessScope, accessScope, type Principal } from '@tds/contracts';
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

/**
 * Throws if an app or the person's role has no right to it, a frozen account starts work or the key's state is not allowed. Requests that may be repeats
 * pass: only the owning service knows whether they are.
 */
export const createStateCheck = (row: Route) => {
  const states = keyStatesOf(row);
  const roles = rolesOf(row);
  return (principal: Principal | null, hasIdempotencyKey: boolean): void => {
    if (principal === null) return;
    if (!hasScope(row, principal)) throw insufficientScope(principal, row.scope);
    // An identity of the release before knows owners only.
    if (!roles.includes(principal.role ?? 'owner')) throw serviceError('role_required');
    if (row.startsWork && principal.status === 'frozen') throw serviceError('account_frozen');
    const mayRepeat = row.endingKeysRepeat && hasIdempotencyKey;
    if (!states.includes(principal.keyState) && !mayRepeat) throw serviceError('key_is_ending');
  };
};
