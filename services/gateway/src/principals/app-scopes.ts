import type { Principal } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Route } from '@tds/http-api';

const refused = serviceError('insufficient_scope');
export const insufficientScope = (): ServiceError => refused;

type Scoped = Pick<Principal, 'scopes'>;

/** Throws if the caller is a connected app that was not allowed what the row needs. */
export const assertScope = ({ scope }: Pick<Route, 'scope'>, principal: Scoped | null): void => {
  const scopes = principal?.scopes;
  if (scopes !== undefined && (scope === undefined || !scopes.includes(scope))) throw refused;
};

/** A connected app may be allowed cached transcripts alone. */
export const mayFetch = ({ scopes }: Scoped): boolean => scopes?.includes('fetch') ?? true;
