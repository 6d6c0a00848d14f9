import { routes } from '@tds/http-api';
import { RESOURCE_METADATA_PATH } from '../wire/index.ts';

/** The addresses of the authorization server, which the library below them serves. */
export const oauthRoutes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;

/** RFC 8414 */
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Its name in OpenID Connect, which clients of OAuth 2 ask for, too. */
const OPENID_METADATA_PATH = '/.well-known/openid-configuration';

/** The assistant's route is what clients of the Model Context Protocol connect to; the other resource is the whole API. */
const MCP_PATH = routes.sendMcpMessage.path;

/** The resources that an access token is for: one API under two names, and a slash at the end that clients add. */
export const resourcesOf = (publicUrl: string): readonly string[] => [
  publicUrl,
  `${publicUrl}/`,
  publicUrl + MCP_PATH,
  `${publicUrl}${MCP_PATH}/`,
];

const serverDocument = (publicUrl: string, scopes: readonly string[]) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + oauthRoutes.authorization,
  token_endpoint: publicUrl + oauthRoutes.token,
  registration_endpoint: publicUrl + oauthRoutes.registration,
  revocation_endpoint: publicUrl + oauthRoutes.revocation,
  jwks_uri: publicUrl + oauthRoutes.jwks,
  scopes_supported: [...scopes, 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'fragment'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  // Of OpenID Connect, whose clients want to read them.
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['EdDSA'],
});

const resourceDocument = (publicUrl: string, path: string, scopes: readonly string[]) => ({
  resource: publicUrl + path,
  authorization_servers: [publicUrl],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${publicUrl}/docs/assistants`,
});

/** The documents by which clients find this server, by the paths that they derive from the address that a person has typed. */
export const discoveryDocuments = (
  publicUrl: string,
  scopes: readonly string[],
): readonly (readonly [string, object])[] =>
  ['', '/', MCP_PATH, `${MCP_PATH}/`].flatMap((path) => [
    ...[SERVER_METADATA_PATH, OPENID_METADATA_PATH].map(
      (metadataPath) => [metadataPath + path, serverDocument(publicUrl, scopes)] as const,
    ),
    [RESOURCE_METADATA_PATH + path, resourceDocument(publicUrl, path, scopes)] as const,
  ]);
