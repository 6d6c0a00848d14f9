import { describe, expect, it } from '@jest/globals';
import { MAX_PROJECTED_FILE_BYTES } from '@tds/contracts';
import { type Answer, jsonAnswer } from '../wire/answer.ts';
import { type Exchange, type GatewayRequest, type GatewayResponse, openExchange } from '../wire/exchange.ts';
import { createFinish } from './finish.ts';

const ACCOUNT = '11111111-2222-4333-8444-555555555555';

/** What is counted and written of an answer. */
const finished = (answer: Answer, method = 'GET') => {
  const counted: [string, number][] = [];
  const written: string[] = [];
  const exchange: Exchange = { ...openExchange(), route: 'getTranscript', accountId: ACCOUNT };
  const request = { method, headers: {}, complete: true } as GatewayRequest;
  const response = { locals: { exchange }, headersSent: false, req: request, writeHead() {}, end() {} };
  const { finish } = createFinish({
    log: { info() {}, warn() {}, error() {} } as never,
    records: { add: (_what: string, text: string) => written.push(text) } as never,
    metrics: { httpRequestDuration: { observe() {} } as never },
    countLargeBody: (route, bytes) => counted.push([route, bytes]),
    config: { publicUrl: 'https://api.example', supportEmail: 'help@api.example', cookieSecure: true } as never,
    usage: { count() {}, async reportAll() {} },
    latency: { count() {} },
    logRequest() {},
  });
  finish(request, response as unknown as GatewayResponse, answer);
  return { counted, record: JSON.parse(`{${written[0]}}`) as { bytes?: number; accountId: string } };
};

describe('a body above 1 MiB', () => {
  const bytes = MAX_PROJECTED_FILE_BYTES + 1;
  const streamed: Answer = { status: 200, bytes, takeOver() {} };

  it.each<[string, Answer]>([
    ['text', { status: 200, body: 'x'.repeat(bytes) }],
    ['bytes', { status: 200, body: Buffer.alloc(bytes) }],
    ['a stream', streamed],
  ])('of %s is counted, and the record says whose it was', (_what, answer) => {
    const { counted, record } = finished(answer);
    expect(counted).toEqual([['getTranscript', bytes]]);
    expect(record).toMatchObject({ bytes, accountId: ACCOUNT });
  });

  it.each<[string, Answer, string]>([
    ['a smaller one', { status: 200, body: 'x'.repeat(MAX_PROJECTED_FILE_BYTES) }, 'GET'],
    ['an answer of JSON', jsonAnswer(200, {}), 'GET'],
    ['none', { status: 204 }, 'GET'],
    ['one that HEAD only describes', streamed, 'HEAD'],
  ])('does not count %s', (_what, answer, method) => {
    const { counted, record } = finished(answer, method);
    expect(counted).toEqual([]);
    expect(record).not.toHaveProperty('bytes');
  });
});
