import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Route, recordedExamples, routes, routeTable } from '@tds/http-api';
import { readCurl } from '@tds/test-kit';
import { Transcripts } from '@transcript-delivery/sdk';
import { referenceDocument } from '../reference/document.ts';
import { pythonCalls, typescriptCalls } from './client-calls.ts';
import { buildSamples } from './samples.ts';

const ORIGIN = 'https://api.example';
const ids = Object.keys(routes) as (keyof typeof routes)[];
const clientFolder = path.join(import.meta.dirname, '../../../../clients/python');
const secrets = { TRANSCRIPTS_API_KEY: 'svc_live_x', SESSION: 'x', SIGNATURE: 'x' };
const folder = mkdtempSync(path.join(tmpdir(), 'samples-'));
const { resources } = referenceDocument({ publicUrl: ORIGIN, supportEmail: 'help@api.example' });

/** The route of a request. */
const rowOf = (method: string, address: string): Route | undefined => {
  const { pathname } = new URL(address, ORIGIN);
  return routeTable.find(
    (row) =>
      row.method === method && new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
};

/** A client that reads pages ends with this one. */
const lastPage = { next: null, next_offset: null, has_more: false, continuation: null };

/** The recorded answer of a route, without a further page. */
const answerOf = (
  row: Route,
): { readonly status: number; readonly body: string | null; readonly type: string } => {
  const operation = resources.flatMap(({ operations }) => operations).find(({ id }) => id === row.id);
  for (const [status, { content = {} }] of operation?.responses ?? []) {
    const [name] = Object.keys(content['application/json']?.examples ?? {});
    const example = name === undefined ? undefined : recordedExamples[name];
    if (example !== undefined)
      return {
        status: Number(status),
        body: JSON.stringify({ ...example, ...lastPage }),
        type: 'application/json',
      };
  }
  const status = Number(Object.keys(row.responses)[0]);
  return status === 204 ? { status, body: null, type: '' } : { status, body: 'text', type: 'text/plain' };
};

const codeOf = (id: keyof typeof routes, language: string, origin = ORIGIN): string =>
  buildSamples(id, origin).find((sample) => sample.language === language)?.code ?? '';

const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('samples in curl', () => {
  it.each(ids)('%s sends the request of its route, with a body that it accepts', async (id) => {
    const [request] = await readCurl(codeOf(id, 'curl'), secrets);
    const row: Route = routes[id];
    expect(rowOf(request?.method ?? '', request?.url ?? '')?.id).toBe(id);
    const body: Record<string, unknown> = JSON.parse(request?.body ?? '{}');
    const refused = Object.entries(row.body ?? {}).filter(
      ([name, { schema }]) => !schema.safeParse(body[name]).success,
    );
    expect(refused.map(([name]) => name)).toEqual([]);
    if (row.body !== null) expect(Object.keys(row.body)).toEqual(expect.arrayContaining(Object.keys(body)));
    if (row.access === 'key') expect(request?.headers.Authorization).toBe('Bearer svc_live_x');
  });
});

describe('samples in TypeScript', () => {
  it.each(ids)('%s sends the request of its route', async (id) => {
    const seen: string[] = [];
    const fakeFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const request = new Request(input, init);
      const row = rowOf(request.method, request.url);
      seen.push(row?.id ?? `${request.method} ${request.url}`);
      // A stream that does not end would be read for ever.
      if (row === undefined || row.id === 'streamJob') return new Response(null, { status: 404 });
      const { status, body, type } = answerOf(row);
      return new Response(body, { status, headers: { 'Content-Type': type } });
    };
    const client = new Transcripts({
      apiKey: 'svc_live_x',
      baseUrl: ORIGIN,
      maxRetries: 0,
      fetch: fakeFetch,
    });
    const run = new AsyncFunction('client', 'fetch', 'console', codeOf(id, 'TypeScript'));
    // What it does with a file or a stream, which these answers are not, is tested with the SDK.
    const failed = await run(client, fakeFetch, { log: () => {} }).catch((error: unknown) => error);
    expect([seen.includes(id), seen]).toEqual([true, seen]);
    if (!['getJobArchive', 'getJobDocument', 'streamJob'].includes(id)) expect(failed).toBeUndefined();
  });

  it('call the SDK for each operation that it has', () => {
    expect(ids.filter((id) => typescriptCalls[id] === undefined)).toEqual([
      'readLink',
      'getJobMail',
      'chooseJobMail',
      'getMonitorMail',
      'chooseMonitorMail',
      'listFeeds',
      'createFeed',
      'endFeed',
      'readFeed',
      'sendMcpMessage',
      'requestCode',
      'verifyCode',
      'acceptInvitation',
      'switchAccount',
      'logout',
      'listSessions',
      'endOtherSessions',
      'endSession',
      'createDashboardKey',
      'getConnectionRequest',
      'answerConnectionRequest',
      'nameAccount',
      'putInAccount',
      'deleteFromAccount',
      'changeMailSettings',
      'showMailStop',
      'stopMail',
      'listPeople',
      'invitePerson',
      'changePerson',
      'removePerson',
      'listAudit',
      'cancelCheckout',
      'receivePaymentEvent',
      'acceptPurchase',
      'getRefill',
      'putRefill',
      'endRefill',
      'openCardPage',
      'changesFeed',
    ]);
  });
});

describe('samples in Python', () => {
  let server: Server;
  let seen: string[] = [];
  let origin: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const row = rowOf(request.method ?? '', request.url ?? '');
      seen.push(row?.id ?? `${request.method} ${request.url}`);
      const { status, body, type } = row
        ? answerOf(row)
        : { status: 404, body: '{}', type: 'application/json' };
      request
        .resume()
        .on('end', () => response.writeHead(status, { 'Content-Type': type }).end(body ?? undefined));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('send the requests of their routes', async () => {
    seen = [];
    const blocks = ids.map((id) => {
      const lines = codeOf(id, 'Python', origin)
        .replaceAll('talks.zip', path.join(folder, 'talks.zip'))
        .split('\n');
      // An archive is no file here: the request counts.
      const isFile = id === 'getJobArchive' || id === 'getJobDocument';
      const rescue = isFile ? 'except Exception:\n    pass' : 'finally:\n    pass';
      return `try:\n${lines.map((line) => `    ${line}`).join('\n')}\n${rescue}`;
    });
    const script = [
      'import sys',
      `sys.path.insert(0, ${JSON.stringify(clientFolder)})`,
      'from transcript_delivery import Transcripts',
      `client = Transcripts("svc_live_x", ${JSON.stringify(origin)})`,
      ...blocks,
    ].join('\n');
    const file = path.join(folder, 'samples.py');
    writeFileSync(file, script);
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...secrets };
    await promisify(execFile)('python3', [file], { env, timeout: 120_000 });
    expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
  });

  it('call the client for each operation that it has', () => {
    const inBoth = ids.filter((id) => typescriptCalls[id] !== undefined && pythonCalls[id] === undefined);
    expect(inBoth).toEqual([
      'streamJob',
      'listMatches',
      'listPrices',
      'checkout',
      'openPortal',
      'listPurchases',
      'listChanges',
    ]);
  });
});
