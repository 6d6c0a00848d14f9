import { afterEach, describe, expect, it } from '@jest/globals';
import type { ExitGateway } from '@tds/simulators/platform/testing';
import {
  blocks,
  openPlatform,
  readVideoId,
  startGateway,
  startPlatform,
  toRotatingExit,
} from '../test-support/exits.ts';
import { type Received, startScriptedPlatform } from '../test-support/scripted-platform.ts';
import { closeAll, closeLater } from '../test-support/set-up.ts';
import { refusedBy } from '../test-support/wire.ts';
import type { SessionChange } from '../types.ts';

afterEach(closeAll);

const delivered = (outcomes: readonly string[]): number =>
  outcomes.filter((outcome) => outcome === 'delivered').length;

describe('a rotating exit', () => {
  it('delivers 99 of 100 if half of its addresses are blocked, with at most 1.3 requests for each that is needed', async () => {
    const server = await startPlatform(blocks(5));
    const { deliverAll, attempts } = openPlatform(server.origin, toRotatingExit(await startGateway()));
    await deliverAll(20);
    attempts.length = 0;
    expect(delivered(await deliverAll(100))).toBeGreaterThanOrEqual(99);
    expect(attempts.length).toBeLessThanOrEqual(1.3 * 200);
  });

  it('delivers 90 of 100 if nine of ten addresses are blocked', async () => {
    const server = await startPlatform(blocks(9));
    const { deliverAll } = openPlatform(server.origin, toRotatingExit(await startGateway()));
    expect(delivered(await deliverAll(100))).toBeGreaterThanOrEqual(90);
  });

  it('asks for captions by the address that asked for the player, with eight letters and digits as its session', async () => {
    const server = await startPlatform(() => false);
    const gateway = await startGateway();
    const { deliverAll } = openPlatform(server.origin, toRotatingExit(gateway));
    await deliverAll(40);
    const addresses = Map.groupBy(server.requests, readVideoId);
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
    const { platform, deliver } = openPlatform(server.origin, toRotatingExit(await startGateway()), {
      onSession: (change) => changes.push(change),
    });
    expect(await deliver(1)).toBe('delivered');
    for (const { remoteAddress } of server.requests) blocked.add(remoteAddress);
    expect(await deliver(2)).toBe('delivered');
    expect(platform.strategyHealth().map(({ state }) => state)).not.toContain('open');
    expect(changes).toEqual([
      { exit: 'rotating', change: 'opened', isProven: false },
      { exit: 'rotating', change: 'blocked', isProven: true },
      { exit: 'rotating', change: 'opened', isProven: false },
    ]);
  });

  it('takes another address after so many requests', async () => {
    const server = await startPlatform(() => false);
    const { deliver } = openPlatform(server.origin, toRotatingExit(await startGateway()), {
      limits: { requestsPerSession: 4 },
    });
    for (let number = 0; number < 6; number += 1) await deliver(number);
    const counts = Map.groupBy(server.requests, ({ remoteAddress }) => remoteAddress);
    expect([...counts.values()].map(({ length }) => length)).toEqual([4, 4, 4]);
  });

  it('never has more than 64 sessions, also if worn ones wait for their captions', async () => {
    const server = await startPlatform(() => false);
    let open = 0;
    let max = 0;
    const { deliverAll } = openPlatform(server.origin, toRotatingExit(await startGateway()), {
      limits: { requestsPerSession: 1 },
      onSession: ({ change }) => {
        open += change === 'opened' ? 1 : -1;
        max = Math.max(max, open);
      },
    });
    expect(delivered(await deliverAll(100))).toBe(100);
    expect(max).toBe(64);
  });

  it('of which every address is blocked is left alone for a while, and recovers', async () => {
    let isBlocked = true;
    let now = new Date('2026-06-01T12:00:00Z').getTime();
    const server = await startPlatform(() => isBlocked);
    const { platform, deliver, attempts } = openPlatform(server.origin, toRotatingExit(await startGateway()), {
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
    const { deliverAll } = openPlatform(server.origin, {
      name: 'rotating',
      proxyUrl: proxyUrl(await startGateway()),
    });
    expect(delivered(await deliverAll(40))).toBeGreaterThanOrEqual(39);
  });

  it('of own addresses takes one of the prefix for each session', async () => {
    const server = await startPlatform(blocks(5));
    const { deliverAll } = openPlatform(server.origin, { name: 'own', sourceAddress: '127.64.0.0/10' });
    expect(delivered(await deliverAll(40))).toBeGreaterThanOrEqual(39);
    for (const { remoteAddress } of server.requests)
      expect(remoteAddress).toMatch(/^127\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7])\./);
  });

  it.each([
    'This content is not available on this country domain due to a court order.',
    'This video is not available in your area.',
    "This content isn't available.",
    'Words that nobody has seen before.',
  ])('delivers by another address what one of two refuses in the words: %s', async (reason) => {
    const refusesPlayers = (request: Received) => blocks(5)(request) && request.client !== '';
    const server = await startPlatform(refusesPlayers, () => ({ body: refusedBy('UNPLAYABLE', reason) }));
    const { deliverAll } = openPlatform(server.origin, toRotatingExit(await startGateway()));
    // Some meet refusing addresses only; if no other address were asked, half of all would fail.
    expect(delivered(await deliverAll(100))).toBeGreaterThanOrEqual(75);
  });

  it('does not say that a video is unavailable in all countries', async () => {
    const server = await startScriptedPlatform(() => ({
      body: refusedBy('UNPLAYABLE', 'The uploader has not made this video available in your country'),
    }));
    closeLater(server.close);
    const { platform } = openPlatform(server.origin, toRotatingExit(await startGateway()));
    const refused = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(refused).rejects.toMatchObject({
      code: 'video_unavailable',
      fact: { kind: 'short_lived' },
      data: { retryable: true },
    });
  });
});
