import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { readBody } from '../../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway();
});
afterAll(() => harness?.stop());

const PIECE = '1\r\nx\r\n';
const open = async (path: string, headers: readonly string[] = []): Promise<Socket> => {
  const { hostname, port } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...headers];
  socket.write([...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
  return socket;
};
const send = (socket: Socket, bytes: string) =>
  new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));

describe('a body in chunks of one byte', () => {
  it.each(['/v1/auth/code', '/oauth/token'])('is refused if they are too many, and ends: %s', async (path) => {
    const socket = await open(path);
    const answered = once(socket, 'data');
    await send(socket, PIECE.repeat(35_000));
    const [answer] = await answered;
    await once(socket, 'close');
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('is taken up to 64 KiB', async () => {
    const socket = await open('/v1/auth/code', ['Connection: close']);
    const body = JSON.stringify({ email: 'a@example.com', other: 'x'.repeat(20_000) });
    const answered = once(socket, 'data');
    await send(socket, `${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
    const [answer] = await answered;
    expect(readBody(String(answer)).code).toBe('unknown_parameter');
  });
});

describe('a refused sign-in', () => {
  const requestCode = (email: string) => request(harness.url).post('/v1/auth/code').send({ email });

  it('is refused from memory until its Retry-After, for its address alone', async () => {
    harness.identity.commands.requestCode = async ({ email }) => {
      if (email.includes('locked')) throw serviceError('code_locked', { retryAfterSeconds: 900 });
      return {};
    };
    await requestCode('locked@example.com').expect(429);
    harness.identity.asked.length = 0;
    const repeated = await requestCode('Locked@example.com').expect(429);
    expect(repeated.body.code).toBe('code_locked');
    expect(Number(repeated.headers['retry-after'])).toBeGreaterThan(0);
    expect(harness.identity.asked).toEqual([]);
    await requestCode('free@example.com').expect(200);
  });
});

describe('prices', () => {
  it('are read once for many callers', async () => {
    harness.billing.asked.length = 0;
    for (let n = 0; n < 5; n += 1) await request(harness.url).get('/v1/checkout').expect(200);
    expect(harness.billing.asked.length).toBeLessThanOrEqual(1);
  });
});
