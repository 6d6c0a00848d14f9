import { afterEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tds/errors';
import { type ExitGateway, startExitGateway } from '@tds/platform-simulator/testing';
import { type Received, startScriptedPlatform } from '../test-support/scripted-platform.ts';
import { closeAll, closeLater } from '../test-support/set-up.ts';
import { json3, playable, refusedBy, wireTrack } from '../test-support/wire.ts';
import { cuesOf } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { AttemptRecord, Egress, SessionChange, VideoPlatformOptions } from '../types.ts';
import { createVideoPlatform } from '../video-platform.ts';

afterEach(closeAll);

const botCheck = refusedBy('LOGIN_REQUIRED', 'Sign in to confirm you\u2019re not a bot');

/** The first `share` of ten of all addresses are blocked. */
const blocks =
  (share: number) =>
  ({ remoteAddress }: Received): boolean =>
    Number(remoteAddress.split('.').at(-1)) % 10 < share;

const videoIdOf = ({ url, body }: Received): string => url.searchParams.get('v') ?? JSON.parse(body).videoId;

/** A platform that answers a blocked address with a bot check, or with a page in place of captions. */
const startPlatform = async (isBlocked: (asked: Received) => boolean) => {
  const server = await startScriptedPlatform((asked) => {
    const isCaptions = asked.url.pathname === '/api/timedtext';
    if (isBlocked(asked)) {
      return isCaptions
        ? { headers: { 'content-type': 'text/html' }, body: '<html><title>Sorry...</title></html>' }
        : { body: botCheck };
    }
    if (isCaptions) return { body: json3('a') };
    return { body: playable([wireTrack('en')]).replaceAll('abcdefghij0', videoIdOf(asked)) };
  });
  closeLater(server.close);
  return server;
};

const startGateway = async (): Promise<ExitGateway> => {
  const gateway = await startExitGateway();
  closeLater(gateway.close);
  return gateway;
};

const sessionsOf = ({ http }: ExitGateway): Egress => ({
  name: 'rotating',
  proxyUrl: `http://user-session-{session}:secret@${http}`,
});

const open = (origin: string, egress: Egress, options: Partial<VideoPlatformOptions> = {}) => {
  const attempts: AttemptRecord[] = [];
  const platform = createVideoPlatform({
    origin,
    egresses: [egress],
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  });
  closeLater(() => platform.close());
  const deliver = async (number: number): Promise<string> => {
    try {
      const videoId = `video${String(number).padStart(6, '0')}`;
      const inspection = await platform.inspectVideo(videoId, { language: 'en' }, {});
      const choice = chooseTrack(inspection, { language: 'en', fallback: true });
      await platform.fetchTrack(inspection, choice, {}, cuesOf);
      return 'delivered';
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  };
  /** Outcomes of `count` videos, four at a time. */
  const deliverAll = async (count: number): Promise<string[]> => {
    const outcomes: string[] = [];
    for (let number = 0; number < count; number += 4) {
      const four = [0, 1, 2, 3].map((offset) => deliver(number + offset));
      outcomes.push(...(await Promise.all(four)));
    }
    return outcomes;
  };
  return { platform, attempts, deliver, deliverAll };
};

const delivered = (outcomes: readonly string[]): number =>
  outcomes.filter((outcome) => outcome === 'delivered').length;

describe('a rotating exit', () => {
  it('delivers 99 of 100 if half of its addresses are blocked, with at most 1.3 requests for each that is needed', async () => {
    const server = await startPlatform(blocks(5));
    const { deliverAll, attempts } = open(server.origin, sessionsOf(await startGateway()));
    await deliverAll(20);
    attempts.length = 0;
    expect(delivered(await deliverAll(100))).toBeGreaterThanOrEqual(99);
    expect(attempts.length).toBeLessThanOrEqual(1.3 * 200);
  });

  it('delivers 90 of 100 if nine of ten addresses are blocked', async () => {
    const server = await startPlatform(blocks(9));
    const { deliverAll } = open(server.origin, sessionsOf(await startGateway()));
    expect(delivered(await deliverAll(100))).toBeGreaterThanOrEqual(90);
  });

  it('asks for captions by the address that asked for the player, with eight letters and digits as its session', async () => {
    const server = await startPlatform(() => false);
    const gateway = await startGateway();
    const { deliverAll } = open(server.origin, sessionsOf(gateway));
    await deliverAll(40);
    const addresses = Map.groupBy(server.asked, videoIdOf);
    for (const asked of addresses.values()) {
      expect(new Set(asked.map(({ remoteAddress }) => remoteAddress)).size).toBe(1);
    }
    for (const user of gateway.users) expect(user).toMatch(/^user-session-[a-z0-9]{8}$/);
    expect(new Set(gateway.users).size).toBeGreaterThan(1);
  });

  it('retires an address that is refused, and holds it against nothing else', async () => {
    const blocked = new Set<string>();
    const server = await startPlatform(({ remoteAddress }) => blocked.has(remoteAddress));
    const changes: SessionChange[] = [];
    const { platform, deliver } = open(server.origin, sessionsOf(await startGateway()), {
      onSession: (change) => changes.push(change),
    });
    expect(await deliver(1)).toBe('delivered');
    for (const { remoteAddress } of server.asked) blocked.add(remoteAddress);
    expect(await deliver(2)).toBe('delivered');
    expect(platform.strategyHealth().map(({ state }) => state)).not.toContain('open');
    expect(changes).toEqual([
      { egress: 'rotating', change: 'opened', isProven: false },
      { egress: 'rotating', change: 'blocked', isProven: true },
      { egress: 'rotating', change: 'opened', isProven: false },
    ]);
  });

  it('takes another address after so many requests', async () => {
    const server = await startPlatform(() => false);
    const { deliver } = open(server.origin, sessionsOf(await startGateway()), {
      limits: { requestsPerSession: 4 },
    });
    for (let number = 0; number < 6; number += 1) await deliver(number);
    const counts = Map.groupBy(server.asked, ({ remoteAddress }) => remoteAddress);
    expect([...counts.values()].map(({ length }) => length)).toEqual([4, 4, 4]);
  });

  it('of which every address is blocked is left alone for a while, and recovers', async () => {
    let isBlocked = true;
    let now = new Date('2026-06-01T12:00:00Z').getTime();
    const server = await startPlatform(() => isBlocked);
    const { platform, deliver, attempts } = open(server.origin, sessionsOf(await startGateway()), {
      clock: () => new Date(now),
    });
    for (let number = 0; number < 12; number += 1) expect(await deliver(number)).toBe('ip_blocked');
    expect(platform.strategyHealth().every(({ state }) => state === 'open')).toBe(true);
    const asked = attempts.length;
    const refused = platform.inspectVideo('video000099', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({
      code: 'ip_blocked',
      fact: { kind: 'none' },
      data: { retryAfterSeconds: expect.any(Number) },
    });
    expect(attempts).toHaveLength(asked);
    isBlocked = false;
    now += 60_000;
    expect(await deliver(1)).toBe('delivered');
  });

  it.each([
    ['each tunnel of a gateway without sessions', ({ http }: ExitGateway) => `rotating+http://${http}`],
    ['SOCKS 5', ({ socks }: ExitGateway) => `socks5://user-{session}:secret@${socks}`],
  ])('by %s leaves by another address after a block', async (_kind, proxyUrl) => {
    const server = await startPlatform(blocks(5));
    const { deliverAll } = open(server.origin, {
      name: 'rotating',
      proxyUrl: proxyUrl(await startGateway()),
    });
    expect(delivered(await deliverAll(40))).toBeGreaterThanOrEqual(39);
  });

  it('of own addresses takes one of the prefix for each session', async () => {
    const server = await startPlatform(blocks(5));
    const { deliverAll } = open(server.origin, { name: 'own', sourceAddress: '127.64.0.0/10' });
    expect(delivered(await deliverAll(40))).toBeGreaterThanOrEqual(39);
    for (const { remoteAddress } of server.asked)
      expect(remoteAddress).toMatch(/^127\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7])\./);
  });

  it('does not say that a video is unavailable in all countries', async () => {
    const server = await startScriptedPlatform(() => ({
      body: refusedBy('UNPLAYABLE', 'The uploader has not made this video available in your country'),
    }));
    closeLater(server.close);
    const { platform } = open(server.origin, sessionsOf(await startGateway()));
    const refused = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({
      code: 'video_unavailable',
      fact: { kind: 'short_lived' },
      data: { retryable: true },
    });
  });
});

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
    const { platform, deliver } = open(server.origin, sessionsOf(gateway), {
      limits: { attemptMs: 200, connectMs: 200, headersMs: 200, callMs: 3_000, circuitWaitsMs: [1] },
    });
    gateway.failWith(failure);
    const refused = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({ code: 'upstream_error', fact: { kind: 'none' } });
    expect(server.asked).toHaveLength(0);
    gateway.failWith(null);
    expect(await deliver(2)).toBe('delivered');
  });
});

describe('fixed exits', () => {
  it('are used evenly', async () => {
    const server = await startPlatform(() => false);
    const addresses = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
    const egresses = addresses.map((sourceAddress, index) => ({
      name: `source-${index + 1}`,
      sourceAddress,
    }));
    const platform = createVideoPlatform({ origin: server.origin, egresses });
    closeLater(() => platform.close());
    for (let number = 0; number < 30; number += 1) {
      await platform.inspectVideo(`video0000${10 + number}`, { language: 'en' }, {});
    }
    const counts = Map.groupBy(server.asked, ({ remoteAddress }) => remoteAddress);
    for (const address of addresses) expect(counts.get(address)?.length).toBeGreaterThanOrEqual(8);
  });

  it('that may not ask yet are an error that costs nothing, with the wait', async () => {
    const server = await startPlatform(() => false);
    const { platform, deliver } = open(
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
