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

/** RFC 9728 */
const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The assistant's route is what clients of the Model Context Protocol connect to; the other resource is the whole API. */
const MCP_PATH = '/v1/mcp';
const resourcePaths = ['', MCP_PATH] as const;

/** Where the document about the assistant's route is. */
export const mcpMetadataUrl = (publicUrl: string): string => publicUrl + RESOURCE_METADATA_PATH + MCP_PATH;

/** The resources that an access token is for: one API under two names, and a slash at the end that clients add. */
export const resourcesOf = (publicUrl: string): readonly string[] => [
  publicUrl,
  `${publicUrl}/`,
  publicUrl + MCP_PATH,
  `${publicUrl}${MCP_PATH}/`,
];

/** The documents about protected resources, by their paths. */
export const resourceDocuments = (
  publicUrl: string,
  scopes: readonly string[],
): ReadonlyMap<string, object> =>
  new Map(
    resourcePaths.map((path) => [
      RESOURCE_METADATA_PATH + path,
      {
        resource: publicUrl + path,
        authorization_servers: [publicUrl],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_documentation: `${publicUrl}/docs/assistants`,
      },
    ]),
  );
