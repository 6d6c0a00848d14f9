import { type AccessScope, accessScope, type Principal } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Route } from '@tds/http-api';

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

/** Throws if the caller has not its scope. */
export const assertScope = (row: Pick<Route, 'scope'>, principal: ScopeHolder | null): void => {
  if (principal !== null && !hasScope(row, principal)) throw insufficientScope(principal, row.scope);
};

/** A connected app may be allowed cached transcripts alone. */
export const mayFetch = ({ scopes }: ScopeHolder): boolean => scopes?.includes('fetch') ?? true;
