import { type AccessScope, accessScope, type Principal } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Route } from '@tds/http-api';

type Scoped = Pick<Principal, 'scopes'>;

/** Names what the app has and what it needs: an app that asks for the latter alone would lose the former. */
export const insufficientScope = ({ scopes = [] }: Scoped, scope: AccessScope | undefined): ServiceError => {
  const needed = accessScope.options.filter((one) => one === scope || scopes.includes(one));
  return serviceError('insufficient_scope', { extras: { needed_scopes: scope === undefined ? [] : needed } });
};

/** Throws if the caller is a connected app that was not allowed what the row needs. */
export const assertScope = ({ scope }: Pick<Route, 'scope'>, principal: Scoped | null): void => {
  const scopes = principal?.scopes;
  if (scopes !== undefined && (scope === undefined || !scopes.includes(scope)))
    throw insufficientScope({ scopes }, scope);
};

/** A connected app may be allowed cached transcripts alone. */
export const mayFetch = ({ scopes }: Scoped): boolean => scopes?.includes('fetch') ?? true;
