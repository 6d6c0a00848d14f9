import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import { readCase } from '../scripts.ts';
import { captionsFromFifty } from './captions-from-fifty.ts';
import {
  assertDelivered,
  assertRefused,
  type Expectation,
  type Expectations,
  readFormats,
} from './expect-answer.ts';
import { goOn } from './states.ts';

const rows = async (player: Player, url: string): Promise<string[]> =>
  assertDelivered(await player.list(url)).body.videos.map((row: { video_id: string }) => row.video_id);

const listed = (folder: string, name: string): string[] =>
  readCase(folder, name).lists.map(({ url }: { url: string }) => url);

/** A monitor of the case sees all its feeds and pages, and has told so many videos. */
const tells =
  (folder: string, name: string): Expectation =>
  async (player) => {
    const { monitor, feeds, later } = readCase(folder, name);
    const source = monitor.playlist ?? monitor.channel;
    const { created, show } = await player.watch(monitor.address ?? source, source, monitor.pages ?? []);
    if (monitor.address && created.status === 400) return;
    assert.equal(created.status, 201, created.text.slice(0, 300));
    const looks = Math.max(feeds[source].length, 4);
    let now = await show(0);
    for (let look = 1; look < looks; look += 1) {
      if (look === looks - 1 && later) await goOn(folder, name, player);
      now = await show(Math.min(look, feeds[source].length - 1), Math.min(look, 1));
    }
    if (monitor.dies) assert.ok(now.consecutive_failures > 0 && now.last_error, JSON.stringify(now));
    else assert.equal(now.consecutive_failures, 0);
    if (!created.body.monitor.contents) assert.equal(now.new_videos, monitor.news);
  };

const uploadedJustNow =
  (folder: string): Expectation =>
  async (player) => {
    const video = 'g8p55_00001';
    const early = await player.read(video);
    assertRefused(early, { status: 404, code: 'transcript_not_ready', retryable: true });
    assert.ok(early.body.retry_after <= 7_200, early.text);
    const { body } = await player.runJob([video]);
    assert.deepEqual([body.job.status, body.job.pause_reason], ['paused', 'waiting_for_broadcast']);
    await goOn(folder, 'p55-uploaded-just-now', player);
    assertDelivered(await player.read(video, { refresh: 'true' }));
    const again = await player.runJob([video]);
    assert.equal(again.body.job.status, 'completed');
  };

const chaptersOf =
  (...ids: readonly string[]): Expectation =>
  async (player) => {
    for (const id of ids) {
      assertDelivered(await player.read(id));
      const { chapters } = assertDelivered(await player.facts(id)).body.video;
      const titles = chapters.map(({ title }: { title: string }) => title);
      assert.deepEqual(titles, ['Start', 'Middle', 'End']);
    }
  };

const lists = (folder: string): Expectations => ({
  'l50-four-names': async (player) => {
    const urls = listed(folder, 'l50-four-names');
    const names = ['g8l50_000a1', 'g8l50_000b1', 'g8l50_000c1', 'g8l50_000d1'];
    for (const [index, url] of urls.entries()) assert.deepEqual(await rows(player, url), [names[index]]);
  },
  'l51-letters-of-handles': async (player) => {
    for (const url of listed(folder, 'l51-letters-of-handles').slice(0, 8))
      assert.deepEqual(await rows(player, url), ['g8l51_00001'], url);
  },
  'l53-lists-of-a-person': async (player) => {
    for (const url of listed(folder, 'l53-lists-of-a-person')) {
      assertRefused(await player.list(url));
      assertRefused(await player.runJob(url));
    }
  },
  'l54-episodes': async (player) => {
    const [both, alone] = ['PLg8l54axxxxxxxxxx', 'PLg8l54bxxxxxxxxxx'];
    assert.deepEqual([(await rows(player, both)).length, (await rows(player, alone)).length], [4, 3]);
  },
  // The reference, the command line and the form of a job say that these are the first videos.
  'l56-newest-of-a-series': async (player) => {
    assert.equal((await rows(player, 'PLg8l56xxxxxxxxxxx')).length, 20);
  },
  'l57-pages-of-the-site': async (player) => {
    for (const url of listed(folder, 'l57-pages-of-the-site')) {
      const answer = await player.list(url);
      assertRefused(answer, { status: 400 });
      if (url.includes('gu8_id-0001')) assert.match(answer.text, /gu8_id-0001/);
    }
  },
  'l58-job-of-a-tab': async (player) => {
    for (const [tab, count] of Object.entries({ shorts: 1, videos: 2 })) {
      const { body } = await player.runJob(`https://www.youtube.com/@g8jobtab/${tab}`);
      assert.equal(body.job.counts.total, count, tab);
    }
  },
  'l60-job-of-an-incomplete-list': async (player) => {
    const url = 'PLg8l60axxxxxxxxxx';
    const answer = assertDelivered(await player.list(url));
    const job = await player.runJob(url);
    assert.ok(answer.body.total === 4 || /omitted/.test(job.text), job.text.slice(0, 300));
  },
  's50-compact-dates': async (player) => {
    const { results } = assertDelivered(await player.search('compact')).body;
    assert.equal(results.length, 6);
    for (const { channel_title: channel, published_text: published } of results) {
      assert.ok(channel === undefined || channel === null || channel === 'Chan', channel);
      assert.match(String(published), /ago\.?$/);
    }
  },
});

export const fromFifty = (folder: string): Expectations => ({
  ...captionsFromFifty,
  ...lists(folder),
  'h50-no-length': chaptersOf('g8h50_00001', 'g8h50_00002'),
  'h52-brackets': chaptersOf('g8h52_00001', 'g8h52_00002', 'g8h52_00003'),
  ...Object.fromEntries(
    [
      ...['m50-added-at-the-end', 'm51-removed-from-a-playlist', 'm53-old-and-new-copies'],
      ...['m54-entry-of-a-partner', 'm55-terminated', 'm56-live-then-ended', 'm59-monitor-of-a-tab'],
    ].map((name) => [name, tells(folder, name)]),
  ),
  'p50-postlive-for-ever': async (player) => {
    const [json] = await readFormats(player, 'g8p50_00001', []);
    assert.equal(json.body.cues.length, 60);
    assert.equal((await player.runJob(['g8p50_00001'])).body.job.status, 'completed');
  },
  'p51-postlive-without-captions': async (player) => {
    assertRefused(await player.read('g8p51_00001'), { status: 404, code: 'no_captions' });
    assert.equal((await player.runJob(['g8p51_00001'])).body.job.status, 'failed');
  },
  'p53-start-long-past': async (player) => {
    const answer = await player.read('g8p53_00001');
    assertRefused(answer);
    const { retry_after: wait = 60 } = answer.body;
    assert.ok(wait >= 60 && wait <= 86_400, answer.text);
  },
  'p55-uploaded-just-now': uploadedJustNow(folder),
  'z50-quoted-sentences': async (player) => {
    type Quote = readonly [videoId: string, language: string, words: string, sentence: string];
    for (const [videoId, language, words, sentence] of readCase(folder, 'z50-quoted-sentences')
      .quotes as Quote[]) {
      const match = await player.quote(videoId, language, words);
      assert.equal(match.sentence, sentence);
    }
  },
});
