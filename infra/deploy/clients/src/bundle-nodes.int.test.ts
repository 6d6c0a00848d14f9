import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pack } from './pack.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-nodes-'));
const folder = path.join(dir, 'node_modules/n8n-nodes-transcript-delivery');
/** What n8n gives its nodes, as far as these use it. */
const HOST = `
class NodeApiError extends Error {
  constructor(node, response, options) { super(options.message); Object.assign(this, options, { kind: 'api' }); }
}
class NodeOperationError extends Error {
  constructor(node, error, options = {}) { super(error.message ?? error); Object.assign(this, options, { kind: 'operation' }); }
}
module.exports = { NodeApiError, NodeOperationError, NodeConnectionTypes: { Main: 'main' } };`;

type Manifest = { readonly n8n: { readonly nodes: string[]; readonly credentials: string[] } };
const readManifest = (): Manifest & Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

// biome-ignore lint/suspicious/noExplicitAny: n8n loads nodes without their types, too
type Loaded = any;
/** As n8n loads it: the class has the name of its file. */
const load = (file: string): Loaded => {
  const [name = ''] = path.basename(file).split('.');
  return new (createRequire(path.join(dir, 'n8n.js'))(path.join(folder, file))[name])();
};

beforeAll(async () => {
  const tarball = await pack('n8n', dir);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', folder]);
  mkdirSync(path.join(dir, 'node_modules/n8n-workflow'));
  writeFileSync(path.join(dir, 'node_modules/n8n-workflow/index.js'), HOST);
});
afterAll(() => rmSync(dir, { recursive: true }));

const fetched = globalThis.fetch;
const answerWith = (status: number, body: object): void => {
  globalThis.fetch = async () => Response.json(body, { status });
};
afterAll(() => {
  globalThis.fetch = fetched;
});

const host = {
  getNode: () => ({ id: 'node-1', name: 'Node' }),
  getCredentials: async () => ({ apiKey: 'svc_live_test', baseUrl: 'https://api.test' }),
};
const execution = (parameters: Record<string, unknown>, onError = 'stopWorkflow') => ({
  ...host,
  getNode: () => ({ ...host.getNode(), onError }),
  getInputData: () => [{ json: {} }, { json: {} }],
  getNodeParameter: (name: string, _item: number, fallback: unknown) => parameters[name] ?? fallback,
  getExecutionId: () => '1',
  getExecutionCancelSignal: () => undefined,
  continueOnFail: () => onError !== 'stopWorkflow',
});
const get = { resource: 'transcript', operation: 'get', video: 'manualEn001', format: 'clean' };
const noCaptions = {
  errorClass: 'NoCaptions',
  code: 'no_captions',
  message: 'The video has no captions.',
  retryable: false,
  request_id: 'request-1',
};

describe('the packed nodes for n8n', () => {
  it('have no dependency, the files that the manifest names, and their icons', () => {
    const manifest = readManifest();
    expect(Object.keys(manifest).filter((name) => /^(?:dev)?dependencies$|scripts/i.test(name))).toEqual([]);
    expect(manifest).toMatchObject({
      name: 'n8n-nodes-transcript-delivery',
      keywords: expect.arrayContaining(['n8n-community-node-package']),
      peerDependencies: { 'n8n-workflow': '*' },
      license: 'Apache-2.0',
    });
    for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
      const { description, icon = description.icon } = load(file);
      for (const picture of Object.values<string>(icon)) {
        const svg = path.join(folder, path.dirname(file), picture.replace('file:', ''));
        expect(readFileSync(svg, 'utf8')).toContain('<svg');
      }
    }
  });

  it('are loaded by Node 20', () => {
    const files = [...readManifest().n8n.nodes, ...readManifest().n8n.credentials];
    const script = files.map((file) => `require('${path.join(folder, file)}');`).join('');
    expect(execFileSync('node', ['-e', `${script}console.log('loaded')`], { encoding: 'utf8' })).toBe(
      'loaded\n',
    );
  });

  it('answer each item with items that are paired with it', async () => {
    answerWith(200, { ok: true, format: 'clean', text: 'All of it.' });
    const [items] = await load(readManifest().n8n.nodes[0] ?? '').execute.call(execution(get));
    expect(items).toMatchObject([
      { json: { text: 'All of it.' }, pairedItem: { item: 0 } },
      { json: { text: 'All of it.' }, pairedItem: { item: 1 } },
    ]);
  });

  it('say what went wrong, what to do next, and at which item', async () => {
    answerWith(404, noCaptions);
    const node = load(readManifest().n8n.nodes[0] ?? '');
    await expect(node.execute.call(execution(get))).rejects.toMatchObject({
      kind: 'api',
      message: 'The video has no captions.',
      description: expect.stringMatching(/.+ Code no_captions, request request-1\./),
      httpCode: '404',
      itemIndex: 0,
    });
    await expect(node.execute.call(execution({ ...get, operation: 'guess' }))).rejects.toMatchObject({
      kind: 'operation',
    });
    const json = { error: 'The video has no captions.', code: 'no_captions', retryable: false };
    const [items] = await node.execute.call(execution(get, 'continueRegularOutput'));
    expect(items).toEqual([0, 1].map((item) => ({ json, pairedItem: { item } })));
    // n8n moves an item to the error output for this alone.
    const [failed] = await node.execute.call(execution(get, 'continueErrorOutput'));
    expect(failed).toMatchObject(
      [0, 1].map((item) => ({ json, pairedItem: { item }, error: { kind: 'api', itemIndex: item } })),
    );
  });
});

describe('the packed trigger', () => {
  const body = Buffer.from('{"id":"event-1","type":"job.completed","data":{}}');
  const request = (secret: string, events: string[]) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    const sent: unknown[] = [];
    const response = { status: (code: number) => ({ send: () => ({ end: () => void sent.push(code) }) }) };
    const context = {
      ...host,
      logger: { warn: () => {} },
      getWorkflowStaticData: () => ({ secret: 'whsec_1' }),
      getNodeParameter: () => events,
      getHeaderData: () => ({ 'x-service-timestamp': timestamp, 'x-service-signature': `v1=${mac}` }),
      getRequestObject: () => ({ rawBody: body, readRawBody: async () => {} }),
      getResponseObject: () => response,
    };
    return { context, sent };
  };
  const receive = async (secret: string, events = ['job.completed']) => {
    const { context, sent } = request(secret, events);
    const result = await load(readManifest().n8n.nodes[1] ?? '').webhook.call(context);
    return { result, sent };
  };

  it('starts a workflow for an event that was chosen, and for no other', async () => {
    expect((await receive('whsec_1')).result).toEqual({
      workflowData: [[{ json: JSON.parse(String(body)) }]],
    });
    expect(await receive('whsec_1', ['job.failed'])).toEqual({ result: {}, sent: [] });
  });

  it('answers 401 to a forged event, and starts nothing', async () => {
    expect(await receive('whsec_forged')).toEqual({ result: { noWebhookResponse: true }, sent: [401] });
  });

  const activation = (mode: string, replace: boolean) => ({
    ...host,
    getMode: () => mode,
    getNodeWebhookUrl: () => 'https://n8n.test/webhook/1',
    getWorkflowStaticData: () => ({}),
    getNodeParameter: (name: string) => (name === 'replace' ? replace : []),
  });

  it('lets a workflow end although its key was revoked, and says that the webhook is left', async () => {
    answerWith(403, { ...noCaptions, errorClass: 'Forbidden', code: 'key_revoked' });
    const { webhookMethods } = load(readManifest().n8n.nodes[1] ?? '');
    const warned: string[] = [];
    const logger = { warn: (message: string) => void warned.push(message) };
    const hook = { ...activation('trigger', false), logger };
    await expect(webhookMethods.default.delete.call(hook)).resolves.toBe(false);
    expect(warned).toEqual([expect.stringContaining('could not be deleted')]);
  });

  it('replaces the webhook of an account only if it may, and never for a test', async () => {
    answerWith(200, {
      webhook: { url: 'https://shop.test/hooks', enabled: true },
      webhook_secret: 'whsec_1',
    });
    const { webhookMethods } = load(readManifest().n8n.nodes[1] ?? '');
    const create = (mode: string, replace: boolean) =>
      webhookMethods.default.create.call(activation(mode, replace));
    await expect(create('trigger', false)).rejects.toMatchObject({
      kind: 'operation',
      message: expect.stringContaining('Replace the Webhook of the Account'),
    });
    await expect(create('manual', true)).rejects.toMatchObject({ kind: 'operation' });
    await expect(create('trigger', true)).resolves.toBe(true);
  });
});
