import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { AnswerTooLarge, type Meter, receive } from './receive.ts';

const CAP = 10_000;
const agents: Agent[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A scripted server, an agent with `connections` connections to it, and the meter of its answers. */
const start = async (answer: RequestListener, connections = 1) => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ connections });
  agents.push(agent);
  const meter: Meter = { bytes: 0, status: null };
  const get = (signal = new AbortController().signal, path = '/') =>
    receive(agent, { origin, path, method: 'GET' }, { signal, capBytes: CAP, meter });
  return { server, get, meter };
};

describe('an answer', () => {
  it('is received whole, with its headers and its number of bytes', async () => {
    const { get, meter } = await start((_request, response) => {
      response.writeHead(404, { 'x-mark': 'here', 'set-cookie': ['a=1', 'b=2'] });
      response.write('häl');
      response.end('lo');
    });
    const { status, headers, body } = await get();
    expect([status, String(body)]).toEqual([404, 'hällo']);
    expect(headers).toMatchObject({ 'x-mark': 'here', 'set-cookie': ['a=1', 'b=2'] });
    expect(meter).toEqual({ status: 404, bytes: 6 });
  });

  it('comes after informational answers, which are not the answer', async () => {
    const { get, meter } = await start((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.end('ok');
    });
    const { status, headers, body } = await get();
    expect([status, String(body), headers.link]).toEqual([200, 'ok', undefined]);
    expect(meter.status).toBe(200);
  });

  it('without an end is aborted at the cap, and its connection is closed', async () => {
    const { get, server, meter } = await start((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1_000)));
      };
      response.on('drain', more);
      more();
    });
    const closed = once(server, 'request').then(([, response]) => once(response, 'close'));
    await expect(get()).rejects.toBeInstanceOf(AnswerTooLarge);
    await closed;
    expect(meter.bytes).toBeGreaterThan(CAP);
  });

  it('that is cut off is an error, and its bytes are counted', async () => {
    const { get, meter } = await start((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await expect(get()).rejects.toThrow('other side closed');
    expect(meter).toEqual({ status: 200, bytes: 4 });
  });
});

describe('an aborted request', () => {
  const reason = new Error('no longer wanted');

  it.each([
    ['before the answer', () => undefined],
    ['in the middle of it', (response) => response.write('half')],
  ] as [string, (response: Parameters<RequestListener>[1]) => void][])(
    'gets the reason at once, and the connection is closed: %s',
    async (_when, begin) => {
      const giving = new AbortController();
      const { get, server } = await start((_request, response) => begin(response));
      const asked = once(server, 'request');
      const answer = get(giving.signal);
      const [, response] = await asked;
      const closed = once(response, 'close');
      giving.abort(reason);
      await expect(answer).rejects.toBe(reason);
      await closed;
    },
  );

  it('that waits for a connection fails at once, and is never sent', async () => {
    const asked: string[] = [];
    const { get, server } = await start((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/last') response.end();
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const begun = once(server, 'request');
    const slow = get(first.signal, '/slow');
    await begun;
    const waiting = get(second.signal, '/waiting');
    second.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    first.abort(reason);
    await expect(slow).rejects.toBe(reason);
    await get(undefined, '/last');
    expect(asked).toEqual(['/slow', '/last']);
  });

  it('that is aborted before it starts is never sent', async () => {
    const { get, meter } = await start((_request, response) => response.end());
    await expect(get(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(meter.status).toBeNull();
  });
});
