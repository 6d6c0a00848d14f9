import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import { assertDelivered, assertRefused, type Expectation, type Expectations } from './expect-answer.ts';

type Row = { readonly title: string | null; readonly is_short: boolean; readonly duration: number | null };
const id = (prefix: string): string => `${prefix}${'x'.repeat(34 - prefix.length)}`;
const readRows = async (player: Player, url: string, query?: Record<string, string>): Promise<Row[]> =>
  assertDelivered(await player.list(url, query)).body.videos;

const lists =
  (url: string, rows: number, shorts?: number): Expectation =>
  async (player) => {
    const found = await readRows(player, url);
    assert.equal(found.length, rows);
    if (shorts !== undefined) assert.equal(found.filter((row) => row.is_short).length, shorts);
    for (const { title } of found) assert.doesNotMatch(String(title), /^\[(?:Private|Deleted) video\]$|^null$/);
  };

/** Never a list that calls itself complete at `rows`. */
const failsOrGoesOn =
  (url: string, rows: number): Expectation =>
  async (player) => {
    const answer = await player.list(url);
    if (answer.status !== 200) assertRefused(answer);
    else assert.ok(answer.body.total === null || answer.body.total > rows, `complete with ${rows} rows`);
  };

/** Its job ends with each video once, delivered if the platform serves it. */
const duplicates =
  (url: string, end: 'completed' | 'failed'): Expectation =>
  async (player) => {
    const answer = assertDelivered(await player.list(url));
    assert.deepEqual([answer.body.videos.length, answer.body.total, answer.body.counts.cold], [3, 3, 3]);
    const { body } = await player.runJob(url);
    assert.deepEqual([body.job?.status, body.job?.counts.total], [end, 3], JSON.stringify(body).slice(0, 300));
  };

export const listings: Expectations = {
  'l01-private-deleted': lists(id('PLl01'), 2),
  'l02-lockup-deleted': lists(id('PLl02'), 2),
  'l03-duplicates': duplicates(id('PLl03'), 'failed'),
  'l04-loop-same-token': lists(id('PLl04'), 100),
  'l05-lockup-pages': lists(id('PLl05'), 250),
  'l05b-token-outside': lists(id('PLl05b'), 150),
  'l05c-sections': lists(id('PLl05c'), 60),
  'l06-shorts-lockups': lists(id('PLl06'), 3, 3),
  'l06b-shorts-reels': lists(id('PLl06b'), 2, 2),
  'l07-channel-shorts': async (player) => {
    const channel = 'UCl07yyyyyyyyyyyyyyyyyyy';
    const rows = await readRows(player, channel);
    assert.deepEqual([rows.length, rows.filter((row) => row.is_short).length], [3, 1]);
    assert.equal((await readRows(player, channel, { contents: 'shorts' })).length, 1);
    assert.equal((await readRows(player, channel, { contents: 'videos' })).length, 2);
  },
  'l09-only-live': async (player) => {
    const channel = 'UCl09yyyyyyyyyyyyyyyyyyy';
    assert.equal((await readRows(player, channel)).length, 2);
    assert.ok([0, 2].includes((await readRows(player, channel, { contents: 'videos' })).length));
  },
  'l10-page2-500': failsOrGoesOn(id('PLl10'), 100),
  'l11-page2-empty-with-token': lists(id('PLl11'), 110),
  'l12-page2-no-list': async (player) => {
    const answer = await player.list(id('PLl12'));
    if (answer.status !== 200) assertRefused(answer);
  },
  'l13-empty-playlist': async (player) => {
    assert.equal((await readRows(player, id('PLl13'))).length, 0);
    assertRefused(await player.runJob(id('PLl13')), { code: 'empty_list' });
  },
  'l14-upcoming-live': async (player) => {
    const rows = await readRows(player, id('PLl14'));
    assert.equal(rows.length, 4);
    assert.ok(rows.some(({ duration }) => duration === null));
  },
  'l17-unknown-layout': async (player) => {
    assertRefused(await player.list(id('PLl17')));
    const { status, body } = await player.runJob(id('PLl17'));
    assert.notEqual(body.code ?? body.job?.error?.code, 'empty_list');
    // The job waits for the platform for six hours at most, and says so.
    const isHeld = body.job?.status === 'failed' || body.job?.pause_reason === 'platform_unavailable';
    assert.ok(status >= 400 || isHeld, JSON.stringify(body).slice(0, 300));
  },
  'l18-token-direct': lists(id('PLl18'), 150),
  'l18c-token-unknown': failsOrGoesOn(id('PLl18c'), 100),
  's02-search-lockup': async (player) => {
    const answer = assertDelivered(await player.search('lockups'));
    const facts = answer.body.results.map((result: Record<string, unknown>) =>
      ['channel_title', 'view_count', 'published_text', 'has_captions'].map((name) => result[name]),
    );
    assert.deepEqual(facts, [
      ['Some channel', 1_234, '2 years ago', false],
      ['Some channel', 0, '5 minutes ago', true],
    ]);
  },
};

/** All rows of a listing, page by page. */
const readAll = async (player: Player, url: string): Promise<string[]> => {
  const ids: string[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const { body } = assertDelivered(await player.list(url, { offset: String(offset) }));
    ids.push(...body.videos.map((row: { video_id: string }) => row.video_id));
    offset = body.next_offset ?? null;
  }
  return ids;
};

const LATEST_MS = 10_000;

export const laterListings: Expectations = {
  'l20-members-badge': async (player) => {
    assert.equal((await readRows(player, id('PLgl20'))).length, 4);
    const { body } = await player.runJob(id('PLgl20'));
    const { counts, status } = body.job;
    assert.deepEqual([status, counts.total, counts.fetched, counts.error], ['completed', 4, 2, 2]);
  },
  'l21-hidden-notice': lists(id('PLgl21'), 3),
  'l22-five-thousand': async (player) => {
    const found = await readAll(player, id('PLgl22'));
    assert.deepEqual([found.length, new Set(found).size], [5_000, 5_000]);
  },
  'l24-terminated': async (player) =>
    assertRefused(await player.list('UCgl24zzzzzzzzzzzzzzzzzz'), { status: 404, code: 'source_not_found' }),
  'l25-handle-moved': async (player) => {
    const handle = '@อนุรักษ์';
    for (const url of [handle, `https://www.youtube.com/${encodeURI(handle)}`, '@oldname'])
      assert.equal((await readRows(player, url)).length, 2, url);
    const startedAt = Date.now();
    assertRefused(await player.list('@circle'));
    assert.ok(Date.now() - startedAt < LATEST_MS);
  },
  'l40-other-tabs': async (player) => {
    for (const tab of ['podcasts', 'courses', 'releases', 'posts', 'community', 'streams', 'playlists']) {
      const { body } = assertDelivered(await player.list(`https://www.youtube.com/@g7tabs/${tab}`));
      assert.deepEqual([body.source.kind, body.contents], ['channel', 'all'], tab);
    }
  },
  'l42-music-shapes': async (player) => {
    const music = 'https://music.youtube.com';
    const [album, podcast] = [`OLAK5uy_g7l42${'x'.repeat(32)}`, `MPSPPLg7l42${'x'.repeat(26)}`];
    assert.equal((await readRows(player, `${music}/playlist?list=${album}&si=x`)).length, 2);
    assert.equal((await readRows(player, `${music}/browse/${podcast}`)).length, 2);
    assertRefused(await player.list(`${music}/browse/MPREb_g7l42xxxxxx`), { status: 400 });
  },
  'l43-old-playlist-forms': async (player) => {
    const playlist = `PLg7l43${'x'.repeat(26)}`;
    for (const path of [`view_play_list?p=${playlist}`, `p/${playlist}`, `course?list=${playlist}`])
      assert.equal((await readRows(player, `https://www.youtube.com/${path}`)).length, 2, path);
  },
  'l45-escaped-handle': async (player) => {
    const [channel, playlist] = [`UCg7\\_45${'z'.repeat(17)}`, `PLg7\\_45${'x'.repeat(26)}`];
    const rows = {
      ...{ '@g7some\\_name': 2, 'c/g7some\\_name': 2 },
      ...{ [`channel/${channel}`]: 1, [`playlist?list=${playlist}`]: 1 },
    };
    for (const [path, count] of Object.entries(rows))
      assert.equal((await readRows(player, `https://www.youtube.com/${path}`)).length, count, path);
  },
  's20-collab': async (player) => {
    const { results } = assertDelivered(await player.search('collab')).body;
    assert.equal(results.length, 4);
    for (const { channel_title: channel, view_count: views, published_text: published } of results) {
      assert.deepEqual([views, published], [1_234, '3 days ago']);
      if (channel !== undefined) assert.match(channel, /^First and (?:Second|2 more)$/);
    }
  },
  's21-views-words': async (player) => {
    const { results } = assertDelivered(await player.search('views')).body;
    type Result = { readonly view_count: number | null; readonly channel_title: string | null };
    for (const { channel_title: channel } of results as Result[]) assert.equal(channel, 'Chan');
    const counts = (results as Result[]).map(({ view_count: count }) => count);
    assert.deepEqual(counts.slice(0, 6), [null, 0, 1, null, null, null]);
    assert.ok(counts[6] === null || counts[6] === 10_234, String(counts[6]));
  },
};

export const dataApiListings: Expectations = {
  'd01-data-api-duplicates': duplicates(id('PLd01'), 'completed'),
  'd02-data-api-unavailable': lists(id('PLd02'), 3),
};
