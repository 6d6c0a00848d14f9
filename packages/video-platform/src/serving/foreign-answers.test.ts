import { afterEach, describe, expect, it } from '@jest/globals';
import { blocks, openPlatform, startGateway, startPlatform, toRotatingExit } from '../test-support/exits.ts';
import type { Received, Scripted } from '../test-support/scripted-platform.ts';
import { closeAll } from '../test-support/set-up.ts';
import { playable, refusedBy, wireTrack } from '../test-support/wire.ts';
import type { SessionChange } from '../types.ts';

afterEach(closeAll);

const html = (body: string, status = 200): Scripted => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});
const sorry = 'https://www.google.com/sorry/index?continue=x';
/** What comes in place of the platform's answers. */
const foreign: readonly (readonly [string, Scripted])[] = [
  ['a bare 403', html('<html><title>Error 403 (Forbidden)!!1</title></html>', 403)],
  ['a 403 of the interface', { status: 403, body: '{"error":{"code":403,"status":"PERMISSION_DENIED"}}' }],
  ['404 with a page', html('<html>nothing here</html>', 404)],
  ['503 without a word', { status: 503 }],
  ['a page of a portal', html('<html><title>Top up</title></html>')],
  ['a text', { headers: { 'content-type': 'text/plain' }, body: 'access denied by policy' }],
  ['JSON of another service', { body: '{"status":"login required"}' }],
  ['nothing', { body: '' }],
  ['a redirect to a portal', { status: 302, headers: { location: 'http://portal.example/' } }],
  ['a link to a captcha', html(`<HTML><BODY>Moved <A HREF="${sorry}">here</A>.</BODY></HTML>`)],
  ['a refresh to a captcha', html(`<html><meta http-equiv="refresh" content="0;url=${sorry}"></html>`)],
  ['another video', { body: playable([wireTrack('en')]).replaceAll('abcdefghij0', 'otherVideo1') }],
  ['a damaged body', { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' }],
];

const deliveredOf = (outcomes: readonly string[]) => outcomes.filter((one) => one === 'delivered').length;

const open = async (
  isForeign: (asked: Received) => boolean,
  answer: Scripted | ((asked: Received) => Scripted),
  limits = {},
) => {
  const server = await startPlatform(isForeign, typeof answer === 'function' ? answer : () => answer);
  const changes: SessionChange[] = [];
  const opened = openPlatform(server.origin, toRotatingExit(await startGateway()), {
    onSession: (change) => changes.push(change),
    limits,
  });
  return { ...opened, server, changes };
};

describe('an address by which something else answers', () => {
  it.each(foreign)('with %s is left for another one, also if it is each second', async (_what, answer) => {
    const { deliverAll } = await open(blocks(5), answer);
    expect(deliveredOf(await deliverAll(40))).toBe(40);
  });

  it('costs at most a third more requests if it is one of five', async () => {
    const { deliverAll, attempts } = await open(blocks(2), html('<html>no</html>', 403));
    expect(deliveredOf(await deliverAll(100))).toBeGreaterThanOrEqual(99);
    expect(attempts.length).toBeLessThanOrEqual(1.3 * 200);
  });

  it('ends with its cause', async () => {
    const { deliver, server, changes } = await open(
      ({ remoteAddress }) => remoteAddress === first(),
      html('', 403),
    );
    function first(): string | undefined {
      return server?.requests[0]?.remoteAddress;
    }
    expect(await deliver(1)).toBe('delivered');
    expect(changes).toContainEqual({ exit: 'rotating', change: 'foreign', isProven: false });
  });

  it('that answered well before is asked no more after two videos', async () => {
    const bad = new Set<string>();
    const { deliver, server, changes } = await open(
      ({ remoteAddress }) => bad.has(remoteAddress),
      html('', 403),
    );
    expect(await deliver(1)).toBe('delivered');
    for (const { remoteAddress } of server.requests) bad.add(remoteAddress);
    for (const number of [2, 3, 4]) expect(await deliver(number)).toBe('delivered');
    expect(changes).toContainEqual({ exit: 'rotating', change: 'foreign', isProven: true });
    const asked = server.requests.length;
    expect(await deliver(5)).toBe('delivered');
    expect(server.requests.length).toBe(asked + 2);
  });

  it('for captions alone is left as well', async () => {
    const isCaptions = ({ url }: Received) => url.pathname === '/api/timedtext';
    const isBad = (asked: Received) => isCaptions(asked) && blocks(5)(asked);
    const { deliverAll } = await open(isBad, html('<html>no</html>', 403));
    expect(deliveredOf(await deliverAll(40))).toBe(40);
  });
});

describe('an answer that is the same by all addresses', () => {
  it('is the fault of its client, whose circuit opens while others deliver', async () => {
    const { platform, deliverAll } = await open(({ client }) => client === 'ANDROID', html('', 403));
    expect(deliveredOf(await deliverAll(60))).toBe(60);
    const states = platform.strategyHealth().map(({ strategy, state }) => `${strategy} ${state}`);
    expect(states).toContain('android open');
    expect(states.filter((state) => !state.endsWith('closed'))).toEqual(['android open']);
  });

  it('about one video costs no good address, and two requests of a client', async () => {
    const isOdd = ({ url, body }: Received) => `${url.search}${body}`.includes('video000099');
    const { deliver, deliverAll, changes, server } = await open(isOdd, html('', 500));
    await deliverAll(8);
    const before = changes.length;
    expect(await deliver(99)).toBe('upstream_error');
    expect(changes.slice(before).map(({ change }) => change)).not.toContain('foreign');
    expect(server.requests.filter(isOdd).length).toBeLessThanOrEqual(8);
    expect(await deliver(9)).toBe('delivered');
  });

  it('ends after ten addresses, and no fact about the video is left', async () => {
    const { platform, server } = await open(() => true, html('<html>log in</html>'));
    const asked = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(asked).rejects.toMatchObject({ code: 'upstream_error', fact: { kind: 'none' } });
    expect(server.requests.length).toBeLessThanOrEqual(40);
  });
});

describe('a video that is blocked in some countries', () => {
  const abroad = refusedBy('UNPLAYABLE', 'The uploader has not made this video available in your country');

  it('is delivered by an address of another one, and no address is lost', async () => {
    // All ten tries of one delivery of forty are blocked in one run of 4,000.
    const { deliverAll, changes } = await open(blocks(3), { body: abroad });
    expect(deliveredOf(await deliverAll(40))).toBe(40);
    expect(new Set(changes.map(({ change }) => change))).toEqual(new Set(['opened']));
  });

  it('is asked about by ten addresses for each family of clients at most, and kept for a while only', async () => {
    const { platform, server } = await open(() => true, { body: abroad });
    const asked = platform.inspectVideo('video000001', { language: 'en' }, {});
    await expect(asked).rejects.toMatchObject({
      code: 'video_unavailable',
      data: { retryable: true },
      fact: { kind: 'short_lived' },
    });
    expect(server.requests.length).toBeLessThanOrEqual(20);
  });
});

describe('calls of one moment', () => {
  it('leave by as many addresses', async () => {
    const { deliver, server } = await open(() => false, html(''));
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, number) => deliver(number)));
    expect(deliveredOf(outcomes)).toBe(20);
    expect(new Set(server.requests.map(({ remoteAddress }) => remoteAddress)).size).toBe(20);
  });
});
