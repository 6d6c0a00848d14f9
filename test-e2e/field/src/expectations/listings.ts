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
    for (const { title } of found)
      assert.doesNotMatch(String(title), /^\[(?:Private|Deleted) video\]$|^null$/);
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
    assert.deepEqual(
      [body.job?.status, body.job?.counts.total],
      [end, 3],
      JSON.stringify(body).slice(0, 300),
    );
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

export const dataApiListings: Expectations = {
  'd01-data-api-duplicates': duplicates(id('PLd01'), 'completed'),
  'd02-data-api-unavailable': lists(id('PLd02'), 3),
};
