import { afterEach, describe, expect, it } from '@jest/globals';
import { CHANNEL_ID, channelFeed, feedEntry, PLAYLIST_ID, playlistFeed } from '../test-support/feed-wire.ts';
import { type Received, type Scripted, startScriptedPlatform } from '../test-support/scripted-platform.ts';
import { closeAll, closeLater } from '../test-support/set-up.ts';
import type { AttemptRecord } from '../types.ts';
import { createDiscovery, type DiscoveryOptions } from './create-discovery.ts';

const good = channelFeed(feedEntry({ id: 'abcdefghij0' }));
const xml = (body: string | Buffer, more: Partial<Scripted> = {}): Scripted => ({
  ...{ body, headers: { 'content-type': 'text/xml; charset=UTF-8' } },
  ...more,
});
const page = (status: number): Scripted => ({
  ...{ status, headers: { 'content-type': 'text/html' } },
  body: '<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title></html>',
});

const emptyList = {
  onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: [] } }],
};

const setUp = async (script: (asked: Received) => Scripted, options: Partial<DiscoveryOptions> = {}) => {
  const server = await startScriptedPlatform(script);
  const attempts: AttemptRecord[] = [];
  const discovery = createDiscovery({
    ...{ origin: server.origin, onAttempt: (attempt) => attempts.push(attempt) },
    ...options,
  });
  closeLater(() => discovery.close(), server.close);
  return { ...server, discovery, attempts, read: (id = CHANNEL_ID) => discovery.readFeed(id, {}) };
};
afterEach(closeAll);

describe('the feed', () => {
  it.each([
    [CHANNEL_ID, `/feeds/videos.xml?channel_id=${CHANNEL_ID}`, good],
    [
      PLAYLIST_ID,
      `/feeds/videos.xml?playlist_id=${PLAYLIST_ID}`,
      playlistFeed(feedEntry({ id: 'abcdefghij0' })),
    ],
  ])('of %s needs one request', async (id, address, body) => {
    const { read, requests: asked } = await setUp(() => xml(body));
    expect(await read(id)).toMatchObject({ outcome: 'read', feed: { entries: [{ id: 'abcdefghij0' }] } });
    expect(asked.map(({ method, url }) => [method, url.pathname + url.search])).toEqual([['GET', address]]);
  });

  it.each([404, 410])('answered with %d is missing, which is not a failure of the route', async (status) => {
    const { read, attempts } = await setUp(() => page(status));
    for (let times = 0; times < 5; times += 1) expect(await read()).toEqual({ outcome: 'missing' });
    expect(attempts.map(({ endpoint, outcome }) => [endpoint, outcome])).toEqual(
      Array.from({ length: 5 }, () => ['feed', 'no_feed']),
    );
  });

  it.each<[string, Scripted, string]>([
    ['500', page(500), 'http_status'],
    ['400', page(400), 'http_status'],
    ['429', page(429), 'http_429'],
    ['a page in its place', page(200), 'html_page'],
    ['nothing', xml(''), 'garbage'],
    ['a feed that is cut off', xml(good.slice(0, -20)), 'garbage'],
    ['entities of its own', xml(good.replace('<feed', '<!DOCTYPE feed><feed')), 'doctype'],
    ['another channel’s feed', xml(good.replaceAll(CHANNEL_ID.slice(2), 'b'.repeat(22))), 'other_feed'],
    ['two mebibytes', xml(good.replace('Words', 'x'.repeat(2 ** 21))), 'too_large'],
    [
      'bytes that are not compressed',
      xml(good, { headers: { 'content-encoding': 'gzip' } }),
      'damaged_compression',
    ],
    ['a redirect', xml('', { status: 302, headers: { location: 'http://169.254.169.254/' } }), 'redirect'],
    [
      'a redirect to a feed',
      xml('', { status: 301, headers: { location: '/feeds/videos.xml?user=x' } }),
      'redirect',
    ],
  ])('fails on %s, with a typed error that may be retried', async (_, answer, row) => {
    const { read, attempts, requests: asked } = await setUp(() => answer);
    const seen = await read();
    expect(seen).toMatchObject({ outcome: 'failed', error: { data: { retryable: true }, wasAsked: true } });
    expect([attempts.at(-1)?.outcome, asked.length]).toEqual([row, 1]);
  });

  it('is read by its content, whatever content type it claims', async () => {
    const { read } = await setUp(() => xml(good, { headers: { 'content-type': 'text/html' } }));
    expect(await read()).toMatchObject({ outcome: 'read' });
  });

  it('is read behind a consent page, with its cookie', async () => {
    const form =
      '<!DOCTYPE html><html><form action="https://consent.youtube.com/s"><input name="v" value="cb.1">';
    const { read, requests: asked } = await setUp(({ headers }) =>
      headers.cookie === undefined ? xml(form, { headers: { 'content-type': 'text/html' } }) : xml(good),
    );
    expect(await read()).toMatchObject({ outcome: 'read' });
    expect(asked.at(-1)?.headers.cookie).toContain('CONSENT=YES+cb.1');
  });

  it('whose circuit is open says so, with the wait', async () => {
    const { read, requests: asked } = await setUp(() => page(500));
    for (const letter of ['x', 'y', 'z']) await read(CHANNEL_ID.replace('UCa', `UC${letter}`));
    const seen = await read();
    expect(seen).toMatchObject({
      outcome: 'failed',
      error: { wasAsked: false, data: { retryAfterSeconds: expect.any(Number) } },
    });
    expect(asked).toHaveLength(3);
  });

  it.each(['feed', 'list'] as const)(
    'and a listing have separate circuits: failures of the %s',
    async (failing) => {
      const { discovery, read } = await setUp(({ url }) => {
        const asked = url.pathname.startsWith('/feeds') ? 'feed' : 'list';
        if (asked === failing) return page(500);
        const channelId = url.searchParams.get('channel_id') ?? '';
        return asked === 'feed'
          ? xml(good.replaceAll(CHANNEL_ID.slice(2), channelId.slice(2)))
          : { body: JSON.stringify(emptyList) };
      });
      const list = (id: string) =>
        discovery.listPage(id, null, {}).then(
          () => 'read',
          (error) => error.wasAsked,
        );
      const feed = async (id: string) => {
        const seen = await read(id);
        return seen.outcome === 'failed' ? seen.error.wasAsked : seen.outcome;
      };
      for (const letter of ['x', 'y', 'z']) {
        await Promise.all([feed(CHANNEL_ID.replace('UCa', `UC${letter}`)), list(`PL${letter}`)]);
      }
      expect({ feed: await feed(CHANNEL_ID), list: await list('PLabc') }).toEqual({
        ...{ feed: 'read', list: 'read' },
        [failing]: false,
      });
    },
  );

  it('ends with its caller', async () => {
    const caller = new AbortController();
    const { discovery } = await setUp(() => {
      caller.abort();
      return xml(good);
    });
    expect(await discovery.readFeed(CHANNEL_ID, { signal: caller.signal })).toMatchObject({
      outcome: 'failed',
      error: { code: 'upstream_error' },
    });
  });
});
