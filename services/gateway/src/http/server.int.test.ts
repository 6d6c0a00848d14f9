import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createHttpServer, listen, type ServerLimits, stopServer } from './server.ts';

const SILENCE_MS = 4_000;
/** Far more than all the buffers on the way hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

const start = async (listener: RequestListener, limits: Partial<ServerLimits> = {}) => {
  const server = createHttpServer(listener, 'https://api.example', {
    maxConnections: 1_000,
    silenceMs: SILENCE_MS,
    ...limits,
  });
  const { port } = await listen(server, 0, '127.0.0.1');
  cleanUps.push(() => stopServer(server, 0));
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    cleanUps.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { open, connections };
};

const request = 'GET / HTTP/1.1\r\nHost: api.example\r\n\r\n';
const answerLarge: RequestListener = (_request, response) => void response.end(LARGE);

describe('a connection whose peer does not read', () => {
  it('is closed, with all the answers that wait on it', async () => {
    const { open, connections } = await start(answerLarge);
    const sockets = await Promise.all(Array.from({ length: 20 }, open));
    for (const socket of sockets) {
      socket.pause();
      socket.write(request.repeat(10));
    }
    await eventually(async () => expect(await connections()).toBe(20));
    await eventually(async () => expect(await connections()).toBe(0), { everyMs: 200 });
  });
});

describe('a connection whose peer reads slowly', () => {
  it('has its answer whole, though that takes several times as long as silence may', async () => {
    const { open } = await start(answerLarge);
    const socket = await open();
    socket.write(request);
    let taken = 0;
    const begun = performance.now();
    for await (const piece of socket) {
      taken += (piece as Buffer).length;
      if (taken >= LARGE.length) break;
      const dueMs = begun + (3 * SILENCE_MS * taken) / LARGE.length - performance.now();
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
    }
    expect(taken).toBeGreaterThanOrEqual(LARGE.length);
    expect(performance.now() - begun).toBeGreaterThan(2 * SILENCE_MS);
  });
});

describe('connections', () => {
  it('beyond the most are closed as they come, and there is room again when others end', async () => {
    const { open, connections } = await start((_request, response) => void response.end('fine'), {
      maxConnections: 3,
      silenceMs: 60_000,
    });
    const held = await Promise.all(Array.from({ length: 3 }, open));
    await eventually(async () => expect(await connections()).toBe(3));
    const refused = await open();
    await once(refused, 'close');
    held[0]?.destroy();
    await eventually(async () => expect(await connections()).toBe(2));
    const admitted = await open();
    admitted.write(request);
    const [answer] = await once(admitted, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  });
});
