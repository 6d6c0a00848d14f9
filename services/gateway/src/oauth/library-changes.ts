import { createHmac } from 'node:crypto';
import { createAccessToken } from '@tds/contracts';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isRegisteredRedirect } from './app-facts.ts';
import type { StoreDeps } from './grant-store.ts';

/** Its types leave out the method by which the library names a token. */
type TokenNames = { generateTokenId(): string };

/**
 * Access tokens look like keys, so that scanners, logs and the front door know them. The id of a refresh token follows from that of the code
 * or token that it is made of: a repeat makes the same one, at any gateway, and no secret is stored for it.
 */
export const nameTokens = (
  { AccessToken, RefreshToken }: Provider,
  key: Buffer,
  requests: StoreDeps['requests'],
): void => {
  const prototype = AccessToken.prototype as unknown as TokenNames;
  const { generateTokenId } = prototype;
  prototype.generateTokenId = function (this: TokenNames) {
    // It also sets the format of the token.
    generateTokenId.call(this);
    return createAccessToken();
  };
  (RefreshToken.prototype as unknown as TokenNames).generateTokenId = () => {
    const parent = String(requests.getStore()?.exchange?.usedId);
    return createHmac('sha256', key).update(parent).digest('base64url');
  };
};

type Schema = { readonly prototype: { redirectUris(): void } };

/** The library compares by the kind that an app says it is, which most do not say. `isAllowedRedirect` checks registrations here. */
export const compareByAddress = ({ Client }: Provider): void => {
  Client.prototype.redirectUriAllowed = function (uri) {
    return isRegisteredRedirect(this.redirectUris ?? [], uri);
  };
  (Client as unknown as { readonly Schema: Schema }).Schema.prototype.redirectUris = () => undefined;
};

type Body = Readonly<Record<string, unknown>>;

const withClientId = ({ headers }: KoaContextWithOIDC['req'], body: Body): Body => {
  const [, text = ''] = /^basic ([\w+/]{1,1024}=*)$/i.exec(headers.authorization ?? '') ?? [];
  const [id = '', secret] = Buffer.from(text, 'base64').toString().split(':');
  if (id === '' || secret !== '') return body;
  delete headers.authorization;
  return { ...body, client_id: body.client_id ?? new URLSearchParams(`id=${id}`).get('id') };
};

/** Programs without a secret send their id with an empty one (RFC 6749, 2.3.1), which the library refuses. */
export const readEmptySecrets = ({ OIDCContext }: Provider): void => {
  Object.defineProperty(OIDCContext.prototype, 'body', {
    set(body: Body) {
      Object.defineProperty(this, 'body', { value: withClientId(this.ctx.req, body), writable: true });
    },
  });
};
