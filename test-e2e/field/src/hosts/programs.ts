import { type Host, isPublic, offered } from './host.ts';

/** Programs of npm, each as it was seen to connect. */
export const programs: readonly Host[] = [
  {
    name: 'Claude Code, by its document',
    source: '@anthropic-ai/claude-code 2.1.197; anthropics/claude-code#41011, #90370',
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      ...isPublic,
    },
    redirect: 'http://localhost:3118/callback',
    authorize: { scope: offered },
  },
  {
    name: 'Codex, by its document',
    source: '@openai/codex 0.171.0',
    metadata: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      ...isPublic,
    },
    redirect: 'http://127.0.0.1:40277/callback',
    authorize: { scope: offered },
    token: { scope: 'read fetch offline_access' },
  },
  {
    name: 'Codex, registered',
    source: '@openai/codex 0.171.0; openai/codex#30460',
    metadata: {
      ...{ client_name: 'Codex', ...isPublic, scope: offered, application_type: 'native' },
      redirect_uris: ['http://127.0.0.1:33418/callback/x0Y1z2'],
    },
    redirect: 'http://127.0.0.1:43883/callback/x0Y1z2',
    authorize: { scope: offered },
  },
  {
    name: 'opencode',
    source: 'opencode-ai 1.18.33; anomalyco/opencode#7379, #49241',
    metadata: {
      ...{ client_name: 'OpenCode', client_uri: 'https://opencode.ai', ...isPublic, scope: offered },
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    },
    redirect: 'http://127.0.0.1:19876/mcp/oauth/callback',
    authorize: { prompt: 'consent', scope: offered },
    token: { resource: 'slash' },
  },
  {
    name: 'Gemini CLI',
    source: '@google/gemini-cli 0.61.0',
    metadata: {
      ...{ client_name: 'Gemini CLI MCP Client', ...isPublic, scope: offered },
      redirect_uris: ['http://localhost:37855/oauth/callback'],
    },
    redirect: 'http://localhost:37855/oauth/callback',
    authorize: { scope: offered },
  },
  {
    name: 'Qwen Code',
    source: '@qwen-code/qwen-code 0.24.4',
    metadata: {
      ...{ client_name: 'Qwen Code MCP Client', ...isPublic, code_challenge_method: ['S256'] },
      ...{ redirect_uris: ['http://localhost:7777/oauth/callback'], scope: 'read fetch jobs monitors' },
    },
    redirect: 'http://localhost:7777/oauth/callback',
    authorize: { scope: 'read fetch jobs monitors' },
  },
  {
    name: 'mcporter',
    source: 'mcporter 0.12.3, registers the port of each run',
    metadata: { client_name: 'mcporter', redirect_uris: ['http://127.0.0.1:51234/callback'], ...isPublic },
    redirect: 'http://127.0.0.1:51234/callback',
  },
  {
    name: 'mcp-remote',
    source: 'mcp-remote 0.15.1',
    metadata: {
      ...{ client_name: 'MCP CLI Client', ...isPublic, scope: offered, application_type: 'native' },
      ...{ software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d', software_version: '0.15.1' },
      redirect_uris: ['http://localhost:6815/oauth/callback'],
    },
    redirect: 'http://localhost:6815/oauth/callback',
    authorize: { prompt: 'consent', scope: offered },
    token: { scope: 'read fetch' },
  },
  {
    name: 'mcpc',
    source: '@apify/mcpc 0.2.6: no state',
    metadata: {
      ...{ client_name: 'mcpc', client_uri: 'https://github.com/apify/mcpc', ...isPublic },
      redirect_uris: ['http://localhost:8000/callback'],
    },
    redirect: 'http://localhost:8000/callback',
    authorize: { scope: 'read fetch jobs monitors', state: undefined },
  },
  {
    name: 'the inspector on the command line',
    source: '@modelcontextprotocol/inspector 2.12.0',
    metadata: {
      ...{ client_name: 'MCP Inspector', ...isPublic, scope: offered, application_type: 'native' },
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
    },
    redirect: 'http://127.0.0.1:6276/oauth/callback',
    authorize: { prompt: 'consent', scope: offered },
  },
];
