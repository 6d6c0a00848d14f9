import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createTrustedProxy } from './input/client-address.ts';
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
    idleTimeoutMs: SILENCE_MS,
    isTrustedProxy: () => false,
    ...limits,
  });
  const { port } = await listen(server, 0, '127.0.0.1');
  const stop = (drainMs = 0, withinMs = drainMs) => stopServer(server, { drainMs, withinMs });
  cleanUps.push(() => stop());
  /** From an address of the loopback network, by a peer that never closes its side of a connection. */
  const openFrom = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    socket.on('error', () => {});
    cleanUps.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const open = () => openFrom('127.0.0.1');
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { port, open, openFrom, connections, stop };
};

const request = 'GET / HTTP/1.1\r\nHost: api.example\r\n\r\n';
const answerLarge: RequestListener = (_request, response) => void response.end(LARGE);

describe('a connection whose peer does not read', () => {
  it('is closed, with all its waiting answers', async () => {
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
  it('gets its whole answer, even if that takes several times the limit of silence', async () => {
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

const fine: RequestListener = (_request, response) => void response.end('fine');
const FAR_MS = 600_000;
const isServed = async (socket: Socket): Promise<void> => {
  socket.write(request);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
};
/** What the server cuts off is an end, or an error, to its peer. */
const isCutOff = async (socket: Socket): Promise<void> => {
  socket.resume();
  await new Promise((resolve) => socket.once('end', resolve).once('error', resolve));
};

describe('a connection without a request', () => {
  it.each([
    ['nothing', ''],
    ['half a head', 'GET / HTTP/1.1\r\nHost: api'],
    ['what is no HTTP', 'garbage\r\n\r\n'],
  ])('is closed if its peer, which sent %s, never closes its side', async (_what, sent) => {
    const { open, connections } = await start(fine, { idleTimeoutMs: FAR_MS });
    const socket = await open();
    socket.resume();
    if (sent !== '') socket.write(sent);
    await eventually(async () => expect(await connections()).toBe(1));
    await eventually(async () => expect(await connections()).toBe(0), { everyMs: 200 });
  });
});

/** On a thread of its own, so that it sends while the server answers. It reports each status, or how the request failed. */
const CLIENT = `
  const { request } = require('node:http');
  const { parentPort, workerData: port } = require('node:worker_threads');
  const body = Buffer.alloc(16 * 1024 * 1024, 'x');
  const send = () =>
    new Promise((resolve) => {
      const sent = request({ port, method: 'DELETE', path: 'nowhere' }, ({ statusCode }) => resolve(statusCode));
      sent.on('error', ({ code }) => resolve(code)).end(body);
    });
  (async () => {
    const answers = [];
    for (let n = 0; n < 25; n += 1) answers.push(await send());
    parentPort.postMessage(answers);
  })();
`;

const DRAIN_MS = 100;
/** Sends a request at once and, over the same connection, another some time after a message. */
const PATIENT_CLIENT = `
  const { Agent, get } = require('node:http');
  const { parentPort, workerData: port } = require('node:worker_threads');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = () => {
    const sent = get({ port, agent }, (response) => {
      response.resume().on('end', () => setImmediate(() => parentPort.postMessage(response.statusCode)));
    });
    sent.on('error', ({ code }) => parentPort.postMessage(code));
  };
  parentPort.once('message', () => setTimeout(send, ${3 * DRAIN_MS}));
  send();
`;

describe('broken HTTP', () => {
  it('gets its answer through an ordinary client that is still sending a long body', async () => {
    const { port } = await start(fine, { idleTimeoutMs: FAR_MS });
    const client = new Worker(CLIENT, { eval: true, workerData: port });
    const [answers] = await once(client, 'message');
    expect(answers).toEqual(Array(25).fill(400));
  });
});

describe('connections', () => {
  it('above the limit are closed as they open, and accepted again when others end', async () => {
    const { openFrom, connections } = await start(fine, { maxConnections: 3, idleTimeoutMs: FAR_MS });
    const held = await Promise.all([1, 2, 3].map((network) => openFrom(`127.0.${network}.1`)));
    await eventually(async () => expect(await connections()).toBe(3));
    await isCutOff(await openFrom('127.0.4.1'));
    held[0]?.destroy();
    await eventually(async () => expect(await connections()).toBe(2));
    await isServed(await openFrom('127.0.4.1'));
  });

  it('of one network are a tenth of all, which leaves room for other networks', async () => {
    const { openFrom, connections } = await start(fine, { maxConnections: 30, idleTimeoutMs: FAR_MS });
    const held = await Promise.all([1, 2, 3].map((host) => openFrom(`127.0.1.${host}`)));
    await eventually(async () => expect(await connections()).toBe(3));
    await isCutOff(await openFrom('127.0.1.4'));
    await isServed(await openFrom('127.0.2.1'));
    held[0]?.destroy();
    await eventually(async () => expect(await connections()).toBe(3));
    await isServed(await openFrom('127.0.1.4'));
  });

  it('of a trusted proxy belong to many networks, and only the limit of all applies', async () => {
    const { openFrom } = await start(fine, {
      maxConnections: 30,
      idleTimeoutMs: FAR_MS,
      isTrustedProxy: createTrustedProxy(['127.0.1.0/24']),
    });
    const held = await Promise.all(Array.from({ length: 20 }, () => openFrom('127.0.1.1')));
    for (const socket of held) await isServed(socket);
  });
});

describe('an idle connection', () => {
  it('is dropped by clients before a stopping gateway closes it, and kept for load balancers', async () => {
    const { port } = await start(fine);
    const { headers } = await fetch(`http://127.0.0.1:${port}`);
    expect(headers.get('keep-alive')).toBe('timeout=5');
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = createHttpServer(fine, '', {
      maxConnections: 1,
      isTrustedProxy: () => false,
    });
    expect(keepAliveTimeout + keepAliveTimeoutBuffer).toBeGreaterThan(60_000);
  });
});

describe('a gateway that stops', () => {
  it('answers each request of the connections that are open, and ends them with an answer', async () => {
    const { port, stop } = await start((_request, response) => void response.end('ok'));
    let answers = 0;
    /** Sends one request after the other until an answer says that the connection ends. */
    const send = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      cleanUps.push(() => agent.destroy());
      for (let isOpen = true; isOpen; ) {
        const sent = get({ port, host: '127.0.0.1', agent });
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'end');
        answers += 1;
        isOpen = response.headers.connection !== 'close';
      }
    };
    const clients = Array.from({ length: 20 }, send);
    await eventually(() => expect(answers).toBeGreaterThan(100));
    await stop(60_000);
    expect(await Promise.allSettled(clients)).toEqual(
      clients.map(() => ({ status: 'fulfilled', value: undefined })),
    );
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });

  it('says in an answer that was under way that its connection ends', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let isAsked = false;
    const { port, stop } = await start(async (_request, response) => {
      isAsked = true;
      await released;
      response.end('ok');
    });
    const answer = once(get({ port, agent: new Agent({ keepAlive: true }) }), 'response');
    await eventually(() => expect(isAsked).toBe(true));
    const stopped = stop(60_000);
    release();
    const [response] = (await answer) as [IncomingMessage];
    expect(response.headers.connection).toBe('close');
    response.resume();
    await stopped;
  });

  it('answers a request that came while the process was too busy to read it', async () => {
    const { port, stop } = await start(fine);
    const client = new Worker(PATIENT_CLIENT, { eval: true, workerData: port });
    expect(await once(client, 'message')).toEqual([200]);
    const second = once(client, 'message');
    client.postMessage('once more');
    const stopped = stop(DRAIN_MS, 60_000);
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntil = performance.now() + 10 * DRAIN_MS;
    while (performance.now() < busyUntil);
    expect(await second).toEqual([200]);
    await stopped;
  });
});
