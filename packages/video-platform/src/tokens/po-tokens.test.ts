import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Exit } from '../types.ts';
import { createPoTokens, type PoTokenOptions } from './po-tokens.ts';

type Asked = { content_binding: string; proxy?: string };
type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const NOW = new Date('2026-11-26T12:00:00Z');
const HOUR_MS = 3_600_000;
const later = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();

/** A provider that answers as scripted, the calls that it got, and its client. */
const start = async (answer: Answer, options: Partial<PoTokenOptions> = {}) => {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}');
    asked.push(body);
    answer(body, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  let now = NOW.getTime();
  const outcomes: string[] = [];
  const tokens = createPoTokens({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
    usesProxy: false,
    exits: [{ name: 'direct' }],
    clock: () => new Date(now),
    onCall: (outcome) => outcomes.push(outcome),
    ...options,
  });
  closing.push(() => tokens.close());
  const ask = (videoId = 'abcdefghij0', exit = 'direct', signal = new AbortController().signal) =>
    tokens.tokenFor({ videoId, client: 'WEB', exit, signal });
  const pass = (ms: number) => {
    now += ms;
  };
  return { asked, tokens, ask, outcomes, pass, server };
};

const token = (videoId: string, number = 1, expiresAt = later(HOUR_MS)) =>
  JSON.stringify({ poToken: `token-${videoId}-${number}`, contentBinding: videoId, expiresAt });

/** Answers with a new token each time. */
const giving = (expiresAt?: string): Answer => {
  let given = 0;
  return ({ content_binding: videoId }, response) => {
    given += 1;
    response.end(token(videoId, given, expiresAt));
  };
};

describe('a token', () => {
  it('is asked for once, below the path of the URL, and kept for its video and exit', async () => {
    const { ask, asked, outcomes } = await start((given, response, request) => {
      expect([request.method, request.url]).toEqual(['POST', '/base/get_pot']);
      giving()(given, response, request);
    });
    expect([await ask(), await ask()]).toEqual(['token-abcdefghij0-1', 'token-abcdefghij0-1']);
    await ask('abcdefghij1');
    await ask('abcdefghij0', 'proxy-1');
    expect(asked.map((one) => one.content_binding)).toEqual(['abcdefghij0', 'abcdefghij1', 'abcdefghij0']);
    expect(outcomes).toEqual(['given', 'given', 'given']);
  });

  it('is asked for once by many at the same time', async () => {
    const { ask, asked } = await start(giving());
    const all = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(all)).toEqual(new Set(['token-abcdefghij0-1']));
    expect(asked).toHaveLength(1);
  });

  it('that one caller no longer waits for comes for the others', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { ask } = await start(({ content_binding: videoId }, response) => {
      void promise.then(() => response.end(token(videoId)));
    });
    const leaving = new AbortController();
    const [first, second] = [ask('abcdefghij0', 'direct', leaving.signal), ask()];
    const left = expect(first).rejects.toThrow('enough');
    leaving.abort(new Error('enough'));
    await left;
    resolve();
    expect(await second).toBe('token-abcdefghij0-1');
  });

  it.each([
    ['until it expires', later(HOUR_MS), HOUR_MS],
    ['for six hours at most', later(48 * HOUR_MS), 6 * HOUR_MS],
  ])('is kept %s', async (_until, expiresAt, keptMs) => {
    const { ask, pass } = await start(giving(expiresAt));
    await ask();
    pass(keptMs - 1);
    expect(await ask()).toBe('token-abcdefghij0-1');
    pass(1);
    expect(await ask()).toBe('token-abcdefghij0-2');
  });

  it('that was refused is given to no one again, and its successor stays', async () => {
    const { ask, tokens } = await start(giving());
    const subject = { videoId: 'abcdefghij0', exit: 'direct' };
    const first = String(await ask());
    tokens.discard(first, subject);
    expect(await ask()).toBe('token-abcdefghij0-2');
    tokens.discard(first, subject);
    expect(await ask()).toBe('token-abcdefghij0-2');
  });

  it('is one of a bounded number, the oldest thrown away', async () => {
    const { ask, asked } = await start(giving(), { maxTokens: 2 });
    for (const id of ['abcdefghij0', 'abcdefghij1', 'abcdefghij2', 'abcdefghij1', 'abcdefghij2']) await ask(id);
    expect(asked).toHaveLength(3);
    await ask('abcdefghij0');
    expect(asked).toHaveLength(4);
  });
});

describe('a provider that is not well', () => {
  const answers: readonly (readonly [string, string, Answer])[] = [
    ['names another video', 'wrong_video', (_, response) => response.end(token('abcdefghij1'))],
    ['answers 500', 'failed', (_, response) => response.writeHead(500).end(token('abcdefghij0'))],
    ['redirects', 'failed', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['resets the connection', 'failed', (_, response) => response.destroy()],
    ['never answers', 'timeout', () => undefined],
    ['answers no JSON', 'failed', (_, response) => response.end('<html>')],
    ['gives an empty token', 'failed', (_, response) => response.end('{"poToken":""}')],
    ['answers too much', 'failed', (_, response) => response.end(Buffer.alloc(200_000, ' '))],
  ];
  const otherInterfaces: readonly (readonly [string, Answer])[] = [
    ['answers without a token', (_, response) => response.end('{"expiresAt":"2026-11-26"}')],
    ['names its fields otherwise', (_, response) => response.end('{"po_token":"token"}')],
    ['dates by no date', (_, response) => response.end(token('abcdefghij0', 1, 'soon'))],
    [
      'gives a token that is no parameter',
      ({ content_binding }, response) =>
        response.end(JSON.stringify({ ...JSON.parse(token(content_binding)), poToken: 'a b\n' })),
    ],
  ];

  it.each(answers)('and %s gives no token now', async (_what, outcome, answer) => {
    const { ask, outcomes } = await start(answer, { deadlineMs: 200 });
    await expect(ask()).rejects.toMatchObject({
      refusal: { reason: outcome, meaning: { code: 'upstream_error', about: 'track' } },
    });
    expect(outcomes).toEqual([outcome]);
  });

  it.each(otherInterfaces)('and %s gives none later either, and is asked on', async (_what, answer) => {
    const { ask, outcomes } = await start(answer);
    for (let time = 0; time < 5; time += 1) expect(await ask()).toBeNull();
    expect(outcomes).toEqual(Array(5).fill('unreadable'));
  });

  it('is left alone after three failures, and tried again later', async () => {
    let isDown = true;
    const { ask, asked, tokens, outcomes, pass } = await start((given, response, request) => {
      if (isDown) response.writeHead(503).end();
      else giving()(given, response, request);
    });
    for (let time = 0; time < 3; time += 1) await expect(ask()).rejects.toThrow('token_failed');
    for (let time = 0; time < 2; time += 1)
      await expect(ask()).rejects.toMatchObject({ refusal: { retryAfterSeconds: 1 } });
    expect([asked.length, tokens.isOpen()]).toEqual([3, true]);
    expect(outcomes.slice(3)).toEqual(['skipped', 'skipped']);
    isDown = false;
    pass(1_000);
    expect(await ask()).toBe('token-abcdefghij0-1');
    expect(tokens.isOpen()).toBe(false);
  });
});

describe("the exit's proxy", () => {
  const exits: readonly Exit[] = [
    { name: 'direct' },
    { name: 'proxy-1', proxyUrl: 'rotating+http://user-{session}:password@proxy.example:1' },
  ];

  it('is a secret of this service, unless the provider may use it', async () => {
    const { ask, asked } = await start(giving(), { exits });
    await ask('abcdefghij0', 'proxy-1');
    expect(asked).toEqual([{ content_binding: 'abcdefghij0' }]);
  });

  it('is sent as a URL that others understand', async () => {
    const { ask, asked } = await start(giving(), { exits, usesProxy: true });
    await ask('abcdefghij0', 'proxy-1');
    await ask('abcdefghij1', 'direct');
    expect(asked[0]?.proxy).toMatch(/^http:\/\/user-[a-z0-9]{8}:password@proxy\.example:1$/);
    expect(asked[1]).toEqual({ content_binding: 'abcdefghij1' });
  });
});

describe('a ping', () => {
  it('answers the version, or nothing', async () => {
    const { tokens, server } = await start((_, response) =>
      response.end('{"version":"1.3.1","server_uptime":4}'),
    );
    expect(await tokens.ping()).toBe('1.3.1');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await tokens.ping()).toBeNull();
  });
});
