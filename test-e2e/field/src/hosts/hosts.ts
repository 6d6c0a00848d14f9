/** What a host sends on its way to a connection. The next host is one row more. */
export type Host = {
  readonly name: string;
  /** The public report or document that shows it. */
  readonly source: string;
  /** What it registers, or what the document says by whose address it names itself. */
  readonly metadata: { readonly redirect_uris: readonly string[] } & Readonly<Record<string, unknown>>;
  /** Where it listens this time. */
  readonly redirect: string;
  /** More fields of its request to the holder; undefined leaves a field out. */
  readonly authorize?: Readonly<Record<string, string | undefined>>;
  /** More fields of its requests for tokens; undefined leaves a field out. */
  readonly token?: Readonly<Record<string, string | undefined>>;
  /** Its id in the Authorization header, with an empty secret. */
  readonly basic?: true;
};

const grant_types = ['authorization_code', 'refresh_token'];
const response_types = ['code'];
const isPublic = { grant_types, response_types, token_endpoint_auth_method: 'none' };

export const hosts: readonly Host[] = [
  {
    name: 'Claude Code, by its document',
    source: 'anthropics/claude-code#41011, #90370',
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      ...isPublic,
    },
    redirect: 'http://localhost:54021/callback',
  },
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
    name: 'Codex',
    source: 'openai/codex#30460',
    metadata: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:33418/callback/x0Y1z2'],
      ...isPublic,
    },
    redirect: 'http://127.0.0.1:43883/callback/x0Y1z2',
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
    name: 'opencode',
    source: 'anomalyco/opencode#7379, #49241',
    metadata: {
      ...{ client_name: 'OpenCode', client_uri: 'https://opencode.ai', ...isPublic },
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    },
    redirect: 'http://127.0.0.1:19876/mcp/oauth/callback',
    token: { resource: 'slash' },
  },
  {
    name: 'mcporter',
    source: 'registers the port of each run',
    metadata: { client_name: 'mcporter', redirect_uris: ['http://127.0.0.1:51234/callback'], ...isPublic },
    redirect: 'http://127.0.0.1:51234/callback',
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
