import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import { routeTable } from '@tds/http-api';
import { storedServiceNames } from '@tds/local';
import { checkSecrets } from '#support';
import { call, startTestSystem, type TestSystem } from '#support/testing';
import { readAnswers, type WireAnswer } from './answer.ts';
import { gatherCast, secretsOf } from './callers.ts';
import { checkAnswer, checkLetIn } from './check-answer.ts';
import { checkMemory, checkTold } from './check-run.ts';
import { fire } from './fire.ts';
import { requestAt, requestsOf } from './generate.ts';
import { CANARY, type FuzzRequest } from './request.ts';
import { untilAtRest } from './run-fuzz.ts';

const SEED = 6;
const REQUESTS = 1_500;

let system: TestSystem;
let cast: Awaited<ReturnType<typeof gatherCast>>;
const evidence = () => openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });
const throwAt = (gateway: string, count: number) =>
  fire({ gateway, cast, requests: requestsOf(SEED, count), atOnce: 16 });

beforeAll(async () => {
  system = await startTestSystem();
  cast = await gatherCast({ gateway: system.gateway, mailbox: system.mail.url }, SEED, 4);
});
afterAll(() => system?.stop());

const plain: FuzzRequest = {
  route: 'getVideo',
  method: 'GET',
  target: '/v1/video',
  headers: [],
  body: null,
  twist: null,
};

/** The gateway's answer to a request without a key. */
const realRefusal = async (): Promise<WireAnswer> => {
  const { status, headers, text } = await call(`${system.gateway}/v1/video`);
  return { status, headers: Object.fromEntries(headers), body: text };
};

describe('generated requests', () => {
  it('get an envelope and pay nothing, whatever they send to whichever route', async () => {
    const seen = await throwAt(system.gateway, REQUESTS);
    expect(seen.breaches).toEqual([]);
    expect(seen.sent).toBe(REQUESTS);
    expect([...seen.routes.keys()].sort()).toEqual(routeTable.map(({ id }) => id).sort());
    // Most get past the door, or nothing behind it was tried.
    expect(seen.codes.size).toBeGreaterThan(25);
    expect(await untilAtRest(evidence())).toBe(true);
    expect(await auditBooks(evidence())).toEqual([]);
    expect(await checkTold(evidence(), seen)).toEqual([]);
    const places = { files: [], dirs: [], services: storedServiceNames };
    expect(await checkSecrets(evidence(), places, new Set([...secretsOf(cast), CANARY]))).toEqual([]);
  });

  it('are the same for the same seed and index', () => {
    const all = [...requestsOf(SEED, 700)];
    expect(all.map(([index]) => index)).toEqual(all.map((_, index) => index));
    for (const index of [0, 499, 500, 699]) expect(requestAt(SEED, index)).toEqual(all[index]?.[1]);
    expect(requestAt(SEED + 1, 0)).not.toEqual(requestAt(SEED, 0));
  });
});

describe('the check of their answers', () => {
  const withBody = (answer: WireAnswer, change: object): WireAnswer => ({
    ...answer,
    body: JSON.stringify({ ...JSON.parse(answer.body), ...change }),
  });
  const withHeader = (answer: WireAnswer, change: Record<string, string>): WireAnswer => ({
    ...answer,
    headers: { ...answer.headers, ...change },
  });

  it('finds nothing in a real refusal', async () => {
    expect(checkAnswer(await realRefusal(), plain)).toEqual([]);
  });

  it.each<[string, (answer: WireAnswer) => WireAnswer]>([
    ['a 500', (answer) => ({ ...answer, status: 500 })],
    ['no envelope', (answer) => ({ ...answer, body: '<html></html>' })],
    ['a field too many', (answer) => withBody(answer, { debug: true })],
    ['an unknown code', (answer) => withBody(answer, { code: 'oops' })],
    ['a code in the wrong class', (answer) => withBody(answer, { errorClass: 'NotFound' })],
    ['another docs_url', (answer) => withBody(answer, { docs_url: 'https://evil.example/' })],
    ['another request_id', (answer) => withBody(answer, { request_id: crypto.randomUUID() })],
    ['a request id of the caller', (answer) => withHeader(answer, { 'x-request-id': CANARY })],
    ['retry_after without its header', (answer) => withBody(answer, { retry_after: 3 })],
    ['Retry-After without its field', (answer) => withHeader(answer, { 'retry-after': '3' })],
    ['a refusal that costs', (answer) => withHeader(answer, { 'x-credits-charged': '1' })],
    ['a refusal that caches keep', (answer) => withHeader(answer, { 'cache-control': 'public' })],
    ['a cookie', (answer) => withHeader(answer, { 'set-cookie': 'a=b' })],
    ['a banner', (answer) => withHeader(answer, { 'x-powered-by': 'Express' })],
    ['an injected header', (answer) => withHeader(answer, { 'x-injected': 'yes' })],
    ['an echo', (answer) => withBody(answer, { message: `no ${CANARY}` })],
    ['a stack trace', (answer) => withBody(answer, { message: 'x\n    at run (/app/src/x.ts:1:2)' })],
    ['a key', (answer) => withBody(answer, { message: cast.unknownKey })],
  ])('finds %s', async (_what, spoil) => {
    expect(checkAnswer(spoil(await realRefusal()), plain)).not.toEqual([]);
  });

  it('finds a request that succeeds without a credential', () => {
    const answer: WireAnswer = { status: 200, headers: {}, body: '{}' };
    expect(checkLetIn(answer, plain)).toHaveLength(1);
    expect(
      checkLetIn(answer, { ...plain, headers: [['Authorization', 'Bearer {{revokedKey}}']] }),
    ).toHaveLength(1);
    expect(checkLetIn(answer, { ...plain, headers: [['Authorization', 'Bearer {{key}}']] })).toEqual([]);
    expect(checkLetIn({ ...answer, status: 403 }, plain)).toEqual([]);
    const prices = {
      ...plain,
      route: 'checkout',
      method: 'HEAD',
      target: 'http://evil.example/v1/checkout?a=b',
    } as const;
    expect([checkLetIn(answer, prices), checkLetIn(answer, { ...prices, method: 'POST' })]).toEqual([
      [],
      ['let in without a credential'],
    ]);
  });

  it('finds a second answer on the wire, and what is no HTTP', () => {
    const one = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}';
    expect(readAnswers(`HTTP/1.1 100 Continue\r\n\r\n${one}${one}`, 'POST')).toHaveLength(2);
    expect(readAnswers(`${one}rest`, 'POST')).toBeNull();
  });

  it('finds a credit that was charged and not reported, and memory that grows', async () => {
    const account = crypto.randomUUID();
    const findings = await checkTold(evidence(), { charged: new Map([[account, 1]]) });
    expect(findings).toContainEqual(
      expect.objectContaining({ invariant: 'I2', subject: `account ${account}` }),
    );
    const growing = Array.from({ length: 100 }, (_, index) => ({ sent: index, mib: 100 + 2 * index }));
    expect(checkMemory(growing)).toHaveLength(1);
    expect(checkMemory(growing.map((sample) => ({ ...sample, mib: 150 })))).toEqual([]);
  });

  it('finds a gateway that answers everything with its innards, or not at all', async () => {
    const broken = createServer((request, response) => {
      if (request.method === 'GET') request.socket.destroy();
      else response.writeHead(500).end('TypeError: x is not a function\n    at run');
    }).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const { port } = broken.address() as AddressInfo;
    const seen = await throwAt(`http://127.0.0.1:${port}`, 40);
    broken.close().closeAllConnections();
    expect(new Set(seen.breaches.map(({ index }) => index)).size).toBe(seen.sent);
    expect(seen.breaches.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['status 500', 'connection cut']),
    );
  });
});
