import { accessScope, identity } from '@tds/contracts';
import type { Provider, TokenEndpointGrantContext } from 'oidc-provider';
import { type OauthRequest, type StoreDeps, type TokenExchange, toProtocolError } from './grant-store.ts';
import { resourcesOf } from './oauth-paths.ts';

type ExchangeDeps = StoreDeps & { readonly publicUrl: string };
type Fields = { resource?: unknown; scope?: unknown; code?: string; redirect_uri?: string };

/** Whether an address names this API; its host may be in capitals. */
export const isOwnResource = (publicUrl: string, resource: string): boolean =>
  resourcesOf(publicUrl).includes(URL.parse(resource)?.href ?? '');

/** The tokens of a connection are for one API, under each of its names. What belongs to other servers is left out, as in the app's request. */
const adaptFields = ({ errors, publicUrl }: ExchangeDeps, fields: Fields): void => {
  const resources = [fields.resource ?? []].flat().filter((one) => one !== '');
  if (!resources.every((one) => isOwnResource(publicUrl, String(one)))) throw new errors.InvalidTarget();
  const scopes = String(fields.scope ?? '').split(' ');
  const ownScopes = accessScope.options.filter((scope) => scopes.includes(scope)).join(' ');
  Object.assign(fields, { resource: undefined, scope: ownScopes === '' ? undefined : ownScopes });
};

/** OAuth 2.1 leaves the redirect out here: the proof binds the code. */
const addRedirect = async ({ AuthorizationCode }: Provider, fields: Fields): Promise<void> => {
  if (fields.code === undefined || fields.redirect_uri !== undefined) return;
  const code = await AuthorizationCode.find(fields.code, { ignoreExpiration: true });
  Object.assign(fields, { redirect_uri: code?.redirectUri });
};

/**
 * Runs the library's handler of a grant and saves at its end, by one message, what it uses up and makes: a request that fails, by itself or
 * by us, uses nothing up.
 */
export const exchangeTokens = async (
  deps: ExchangeDeps,
  { oidc: { provider, params } }: TokenEndpointGrantContext,
  handle: () => unknown,
): Promise<void> => {
  adaptFields(deps, params);
  await addRedirect(provider, params);
  const context = deps.requests.getStore() as OauthRequest;
  const exchange: TokenExchange = { made: [] };
  await deps.requests.run({ ...context, exchange }, async () => handle());
  const { used, made } = exchange;
  if (used === undefined) return;
  const reply = await deps.call(identity.issueTokens, { used, made }, context).catch((error: unknown) => {
    throw toProtocolError(deps, error);
  });
  if (!reply.isIssued) throw new deps.errors.InvalidGrant('already used');
};
