import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ExitGateway } from '@tds/simulators/platform/testing';
import { openPlatform, startGateway, startPlatform, toRotatingExit } from '../test-support/exits.ts';
import { closeAll, closeLater } from '../test-support/set-up.ts';
import { createVideoPlatform } from '../video-platform.ts';

afterEach(closeAll);

describe('a gateway', () => {
  it.each<[string, Parameters<ExitGateway['failWith']>[0]]>([
    ['refuses the password', (client) => client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')],
    ['answers HTML', (client) => client.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n<html>no')],
    ['closes', (client) => client.destroy()],
    ['sends headers without an end', (client) => client.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_999)}`)],
    ['hangs', () => {}],
  ])('that %s costs the video nothing, and serves again afterwards', async (_fault, failure) => {
    const server = await startPlatform(() => false);
    const gateway = await startGateway();
    const { platform, deliver } = openPlatform(server.origin, toRotatingExit(gateway), {
      limits: { attemptMs: 200, connectMs: 200, headersMs: 200, callMs: 3_000, circuitWaitsMs: [1] },
    });
    gateway.failWith(failure);
    const refused = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({ code: 'upstream_error', fact: { kind: 'none' } });
    expect(server.requests).toHaveLength(0);
    gateway.failWith(null);
    expect(await deliver(2)).toBe('delivered');
  });
});

describe('a proxy', () => {
  it.each([
    [
      'a page and the end',
      'HTTP/1.1 200 OK\r\ncontent-length: 43\r\n\r\n<html><title>Log in to the hotel</title>..\n',
      true,
    ],
    [
      'a page',
      'HTTP/1.1 200 OK\r\ncontent-length: 43\r\n\r\n<html><title>Log in to the hotel</title>..\n',
      false,
    ],
    ['the end', 'HTTP/1.1 200 OK\r\n\r\n', true],
  ])('that opens a tunnel to %s is not asked for tunnels without an end', async (_what, text, hasEnd) => {
    const server = await startPlatform(() => false);
    const gateway = await startGateway();
    const { platform } = openPlatform(server.origin, {
      name: 'fixed',
      proxyUrl: `http://u:p@${gateway.http}`,
    });
    let tunnels = 0;
    gateway.failWith((client) => {
      tunnels += 1;
      if (hasEnd) client.end(text);
      else client.write(text);
    });
    const refused = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({ code: 'upstream_error' });
    expect(tunnels).toBeLessThanOrEqual(40);
  });

  it('of SOCKS 5 may have an address of IPv6', async () => {
    const server = await startPlatform(() => false);
    const gateway = await startGateway();
    const port = Number(gateway.socks.split(':').at(-1));
    const onIpv6 = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      client
        .on('error', () => upstream.destroy())
        .pipe(upstream.on('error', () => client.destroy()))
        .pipe(client);
    }).listen(0, '::1');
    await once(onIpv6, 'listening');
    closeLater(async () => void onIpv6.close());
    const proxyUrl = `socks5://user:secret@[::1]:${(onIpv6.address() as AddressInfo).port}`;
    const { deliver } = openPlatform(server.origin, { name: 'proxy-1', proxyUrl });
    expect(await deliver(1)).toBe('delivered');
  });
});

describe('fixed exits', () => {
  it('are used evenly', async () => {
    const server = await startPlatform(() => false);
    const addresses = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
    const exits = addresses.map((sourceAddress, index) => ({
      name: `source-${index + 1}`,
      sourceAddress,
    }));
    const platform = createVideoPlatform({ origin: server.origin, exits });
    closeLater(() => platform.close());
    for (let number = 0; number < 30; number += 1) {
      await platform.inspectVideo(`video0000${10 + number}`, { language: 'en' }, {});
    }
    const counts = Map.groupBy(server.requests, ({ remoteAddress }) => remoteAddress);
    for (const address of addresses) expect(counts.get(address)?.length).toBeGreaterThanOrEqual(8);
  });

  it.each([
    ['a bare 403', { status: 403, body: '' }],
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>Top up</html>' }],
  ])(
    'that answer with %s for all clients are left for the next one in the same call',
    async (_what, answer) => {
      const good = '127.0.0.13';
      const server = await startPlatform(
        ({ remoteAddress }) => remoteAddress !== good,
        () => answer,
      );
      const exits = ['127.0.0.11', '127.0.0.12', good].map((sourceAddress) => ({
        name: sourceAddress,
        sourceAddress,
      }));
      const { deliver } = openPlatform(server.origin, { name: 'unused' }, { exits });
      expect(await deliver(1)).toBe('delivered');
    },
  );

  it('that may not ask yet are an error that costs nothing, with the wait', async () => {
    const server = await startPlatform(() => false);
    const { platform, deliver } = openPlatform(
      server.origin,
      { name: 'direct' },
      {
        limits: { requestsPerMinute: 2, paceWaitMs: 0 },
      },
    );
    await deliver(1);
    const refused = platform.inspectVideo('video000002', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({
      code: 'rate_limited',
      fact: { kind: 'none' },
      data: { retryAfterSeconds: expect.any(Number) },
    });
    expect(platform.strategyHealth().map(({ state }) => state)).not.toContain('open');
  });
});
