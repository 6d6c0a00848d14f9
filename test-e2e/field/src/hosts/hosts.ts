import { grant_types, type Host, isPublic, offered, response_types } from './host.ts';
import { programs } from './programs.ts';

export const hosts: readonly Host[] = [
  ...programs,
  {
    name: 'Claude Code, registered',
    source: 'anthropics/claude-code#37767, #10439',
    metadata: {
      client_name: 'Claude Code (tds)',
      redirect_uris: ['http://localhost:3118/callback'],
      ...isPublic,
    },
    redirect: 'http://localhost:56648/callback',
  },
  {
    name: 'claude.ai',
    source: 'modelcontextprotocol/python-sdk#1379',
    metadata: {
      ...{ client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] },
      ...{ ...isPublic, token_endpoint_auth_method: 'client_secret_post', scope: 'claudeai' },
    },
    redirect: 'https://claude.ai/api/mcp/auth_callback',
    authorize: { scope: 'claudeai' },
    token: { client_secret: '' },
  },
  {
    name: 'goose, by its document',
    source: 'aaif-goose/goose#8550',
    metadata: {
      ...{ client_name: 'goose', grant_types: ['authorization_code'] },
      redirect_uris: ['http://127.0.0.1/oauth_callback', 'http://[::1]/oauth_callback'],
    },
    redirect: 'http://127.0.0.1:49821/oauth_callback',
  },
  {
    name: 'goose, on IPv6',
    source: 'aaif-goose/goose#8550',
    metadata: { client_name: 'goose', redirect_uris: ['http://[::1]/oauth_callback'] },
    redirect: 'http://[::1]:49821/oauth_callback',
  },
  {
    name: 'VS Code',
    source: 'better-auth/better-auth#11175',
    metadata: {
      ...{ client_name: 'Visual Studio Code', client_uri: 'https://code.visualstudio.com' },
      grant_types: [...grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      ...{ response_types, token_endpoint_auth_method: 'none', application_type: 'native' },
      redirect_uris: [
        ...['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect'],
        ...['http://127.0.0.1/', 'http://127.0.0.1:33418/'],
      ],
    },
    redirect: 'http://127.0.0.1:50133/',
  },
  {
    name: 'Cursor',
    source: 'erp-mafia/accounted#2225, makeplane/plane-mcp-server#159',
    metadata: {
      ...{ client_name: 'Cursor', ...isPublic },
      redirect_uris: [
        ...['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
    },
    redirect: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  {
    name: 'GitHub Copilot CLI, by its document',
    source: 'github/copilot-cli#4793',
    metadata: {
      ...{ client_name: 'GitHub Copilot CLI', application_type: 'native' },
      ...{ token_endpoint_auth_method: 'none', redirect_uris: ['http://127.0.0.1:33418/'] },
    },
    redirect: 'http://127.0.0.1:61876/',
    authorize: { scope: offered },
  },
  {
    name: 'ChatGPT',
    source: 'danielealbano/android-remote-control-mcp#166, BasedHardware/omi#8824',
    metadata: {
      ...{ client_name: 'ChatGPT', ...isPublic },
      redirect_uris: [
        'https://chatgpt.com/connector_platform_oauth_redirect',
        'https://chatgpt.com/connector/oauth/OUbdUMlL15Ct',
      ],
    },
    redirect: 'https://chatgpt.com/connector/oauth/OUbdUMlL15Ct',
    authorize: { scope: 'read fetch jobs monitors offline_access' },
    token: { scope: 'read fetch offline_access' },
  },
  {
    name: 'ChatGPT, by its document',
    source: 'Altinity/altinity-mcp#118, django-oauth/django-oauth-toolkit#1857',
    metadata: {
      ...{ client_name: 'ChatGPT', client_uri: 'https://chatgpt.com/', grant_types, response_types },
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      ...{ token_endpoint_auth_signing_alg: 'RS256', jwks_uri: 'https://chatgpt.com/oauth/jwks.json' },
    },
    redirect: 'https://chatgpt.com/connector_platform_oauth_redirect',
    authorize: { scope: offered },
  },
  {
    name: 'opencode, by its document',
    source: 'anomalyco/opencode#47737',
    metadata: {
      ...{ client_name: 'opencode', application_type: 'native', ...isPublic },
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    redirect: 'http://127.0.0.1:51675/callback',
  },
  {
    name: 'the inspector of the protocol',
    source: 'modelcontextprotocol/inspector',
    metadata: {
      ...{ client_name: 'MCP Inspector', client_uri: 'https://github.com/modelcontextprotocol/inspector' },
      ...{ redirect_uris: ['http://localhost:6274/oauth/callback'], ...isPublic },
    },
    redirect: 'http://localhost:6274/oauth/callback',
    authorize: { prompt: 'consent', scope: undefined },
  },
  {
    name: 'requests-oauthlib',
    source: 'requests/requests-oauthlib, fetch_token without a secret',
    metadata: { client_name: 'A script', redirect_uris: ['http://localhost:8000/cb'] },
    redirect: 'http://localhost:8000/cb',
    token: { resource: undefined },
    basic: true,
  },
  {
    name: 'simple-oauth2',
    source: 'lelylan/simple-oauth2, authorizationMethod header',
    metadata: { client_name: 'A server', redirect_uris: ['https://app.example/cb'] },
    redirect: 'https://app.example/cb',
    basic: true,
  },
  {
    name: 'a client of OAuth 2.1',
    source: 'draft-ietf-oauth-v2-1, 4.1.3: no redirect with the code',
    metadata: { client_name: 'Two one', redirect_uris: ['http://127.0.0.1/cb'] },
    redirect: 'http://127.0.0.1:40000/cb',
    token: { redirect_uri: undefined },
  },
  {
    name: 'Authlib and openid-client',
    source: 'authlib/authlib, panva/openid-client: parameters of OpenID Connect',
    metadata: {
      client_name: 'A site',
      redirect_uris: ['https://app.example/cb'],
      id_token_signed_response_alg: 'RS256',
    },
    redirect: 'https://app.example/cb',
    authorize: { scope: 'openid profile email', nonce: 'n', resource: undefined },
    token: { resource: undefined },
  },
];
