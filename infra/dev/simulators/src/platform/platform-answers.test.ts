import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAt, uploadsOf } from './catalogue/channels.ts';
import { type PlatformSimulator, startPlatformSimulator } from './start-platform-simulator.ts';
import {
  captionAddress,
  fetchText,
  postPlayer,
  readPlayer,
  trackList,
} from './test-support/platform-client.ts';

const START = Date.UTC(2026, 10, 1, 12);
const clock = { now: START };
const fixed = { now: () => clock.now };

/** All that is said about some videos, without the port that it was said at. */
const everythingFrom = async (seed: number): Promise<string> => {
  const simulator = await startPlatformSimulator({ ...fixed, seed });
  const parts: string[] = [];
  for (const id of [...uploadsOf(channelAt(5, 1)!, 1).slice(0, 3), 'load0000009', 'dubbedAsr01']) {
    for (const client of ['ANDROID', 'VISIONOS', 'WEB']) {
      const { text } = await postPlayer(simulator.origin, client, id);
      const tracks = JSON.parse(text).captions?.playerCaptionsTracklistRenderer.captionTracks ?? [];
      const bodies = await Promise.all(
        tracks.map(async (track: { baseUrl: string }) => (await fetchText(track.baseUrl)).text),
      );
      parts.push(text, ...bodies);
    }
  }
  await simulator.close();
  return parts.join('\n').replaceAll(simulator.origin, '');
};

describe('platform answers', () => {
  let simulator: PlatformSimulator;
  beforeAll(async () => {
    simulator = await startPlatformSimulator(fixed);
  });
  afterAll(() => simulator.close());

  it('are the same bytes for the same seed, and others for another', async () => {
    const first = await everythingFrom(1);
    expect(await everythingFrom(1)).toBe(first);
    expect(await everythingFrom(2)).not.toBe(first);
  });

  it.each(['aaaaaaaaaaa', 'load0000000', 'https://youtu.be/x', ''])(
    'say of the unknown id "%s" that it is unavailable',
    async (id) => {
      const { playabilityStatus, videoDetails } = await readPlayer(simulator.origin, 'ANDROID', id);
      expect(playabilityStatus).toMatchObject({ status: 'ERROR', reason: 'This video is unavailable' });
      expect(videoDetails).toBeUndefined();
    },
  );

  it.each([
    ['ANDROID', { runs: [{ text: 'English' }] }, 18, 'srv3', false],
    ['VISIONOS', { runs: [{ text: 'English' }] }, 156, null, false],
    ['WEB', { simpleText: 'English' }, 154, null, true],
  ])(
    'to %s have its shapes, its number of translations and its format',
    async (client, name, count, fmt, dated) => {
      const answer = await readPlayer(simulator.origin, client, 'load0000001');
      const list = trackList(answer);
      expect(list.captionTracks[0]?.name).toEqual(name);
      expect(list.translationLanguages).toHaveLength(count);
      expect(new URL(list.captionTracks[0]!.baseUrl).searchParams.get('fmt')).toBe(fmt);
      expect(answer.microformat !== undefined).toBe(dated);
    },
  );

  it('offer ANDROID only English for a source in another language', async () => {
    const list = trackList(await readPlayer(simulator.origin, 'ANDROID', 'hebrewIw001'));
    expect(list.translationLanguages?.map((language) => language.languageCode)).toEqual(['en']);
  });

  it('refuse an unknown client and a body that is not JSON', async () => {
    expect((await postPlayer(simulator.origin, 'TOASTER', 'load0000001')).status).toBe(400);
    const url = `${simulator.origin}/youtubei/v1/player`;
    expect((await fetchText(url, { method: 'POST', body: '{"context":' })).status).toBe(400);
  });

  it('embed the player response and the key in the watch page', async () => {
    const { text } = await fetchText(`${simulator.origin}/watch?v=manualEn001`);
    const embedded = /ytInitialPlayerResponse = (\{.+?\});/.exec(text)?.[1] ?? '';
    expect(text).toMatch(/"INNERTUBE_API_KEY":\s*"[a-zA-Z0-9_-]+"/);
    expect(JSON.parse(embedded).videoDetails.videoId).toBe('manualEn001');
    expect(JSON.parse(embedded).microformat.playerMicroformatRenderer.publishDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('have a player for a frame, which reports to the page that its address names alone', async () => {
    const { text } = await fetchText(`${simulator.origin}/embed/manualEn001?enablejsapi=1`);
    expect(text).toContain('<output>');
    expect(text.match(/postMessage\([^;]+, page\)/g)).toHaveLength(1);
    expect(simulator.requests().byVideo.manualEn001?.embed).toBe(1);
    expect((await fetchText(`${simulator.origin}/embed/deleted_001`)).text).toContain('Video unavailable');
    expect((await fetchText(`${simulator.origin}/embed/`)).status).toBe(404);
  });

  it('give visitor data', async () => {
    const body = JSON.stringify({ context: { client: { clientName: 'WEB', clientVersion: '2' } } });
    const { text } = await fetchText(`${simulator.origin}/youtubei/v1/visitor_id`, { method: 'POST', body });
    expect(JSON.parse(text).responseContext.visitorData).toMatch(/^[\w-]+$/);
  });

  it('refuse caption URLs that were changed in what is signed, and those past their time', async () => {
    const [track] = trackList(await readPlayer(simulator.origin, 'ANDROID', 'tokenXpe_01')).captionTracks;
    const url = captionAddress(simulator.origin, track!.baseUrl, 'json3');
    expect((await fetchText(url.replace('exp=xpe', ''))).status).toBe(403);
    expect((await fetchText(url.replace('v=tokenXpe_01', 'v=manualEn001'))).status).toBe(403);
    expect((await fetchText(url)).status).toBe(200);
    clock.now = START + 7 * 3_600_000;
    expect((await fetchText(url)).status).toBe(403);
    clock.now = START;
  });

  it('are 404 under paths that are not simulated', async () => {
    expect((await fetchText(`${simulator.origin}/youtubei/v1/next`, { method: 'POST' })).status).toBe(404);
  });
});
