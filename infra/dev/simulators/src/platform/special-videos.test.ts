import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { specialVideos } from './index.ts';
import { type PlatformSimulator, startPlatformSimulator } from './start-platform-simulator.ts';
import { conclude } from './test-support/conclude.ts';
import { askToken, fetchText, postPlayer, readPlayer, trackList } from './test-support/platform-client.ts';

/** What a reader makes of each of them is tested beside that reader: packages/video-platform/src/simulator.test.ts. */
describe('special videos', () => {
  let simulator: PlatformSimulator;
  beforeAll(async () => {
    simulator = await startPlatformSimulator();
  });
  afterAll(() => simulator.close());

  it('have distinct ids of eleven characters', () => {
    const ids = specialVideos.map((video) => video.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{11}$/);
  });

  it('the slow player answers in three seconds, not before', async () => {
    const startedAt = Date.now();
    const { status } = await postPlayer(simulator.origin, 'ANDROID', 'slow3sec_01', {}, 6000);
    expect(status).toBe(200);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2990);
  });

  it('the very slow player is still silent after a second', async () => {
    await expect(postPlayer(simulator.origin, 'ANDROID', 'slow30sec01', {}, 1000)).rejects.toThrow(
      /abort|time/i,
    );
  });

  it.each(['visionNope1', 'madeForKids'])('%s is refused to VISIONOS alone', async (id) => {
    expect(await conclude(simulator.origin, 'VISIONOS', id)).toBe('Unavailable');
    expect(await conclude(simulator.origin, 'WEB', id)).toBe('Transcript');
  });

  it("WEB needs a token only if the video's row says so", async () => {
    expect(await conclude(simulator.origin, 'WEB', 'tokenWeb_01')).toBe('PoTokenRequired');
  });

  it.each(['tokenXpe_01', 'tokenAXpe01'])('%s gives its captions to a request with a token', async (id) => {
    const [track] = trackList(await readPlayer(simulator.origin, 'ANDROID', id)).captionTracks;
    expect((await fetchText(track!.baseUrl)).text).toBe('');
    const { poToken } = await askToken(simulator.origin, id);
    expect((await fetchText(`${track!.baseUrl}&pot=${poToken}`)).text).toContain('<timedtext');
  });

  it.each([
    ['redirPriv01', 'http://127.0.0.1:1/private'],
    ['redirMeta01', 'http://169.254.169.254/latest/meta-data/'],
  ])('%s redirects to %s', async (id, location) => {
    const reply = await postPlayer(simulator.origin, 'ANDROID', id);
    expect(reply).toMatchObject({ status: 302, location });
  });

  it('the bot check is spelled with the typographic apostrophe', async () => {
    const { playabilityStatus } = await readPlayer(simulator.origin, 'ANDROID', 'botCheck_01');
    expect(playabilityStatus?.reason).toBe('Sign in to confirm you\u2019re not a bot');
  });

  it('a refused translation leaves the native track alone', async () => {
    const [track] = trackList(await readPlayer(simulator.origin, 'VISIONOS', 'tlang429_01')).captionTracks;
    expect((await fetchText(`${track!.baseUrl}&tlang=de`)).status).toBe(429);
    expect((await fetchText(track!.baseUrl)).status).toBe(200);
  });

  it('translations of tlangVisWeb are listed widely by VISIONOS and WEB, hardly by ANDROID', async () => {
    const count = async (client: string): Promise<number | undefined> =>
      trackList(await readPlayer(simulator.origin, client, 'tlangVisWeb')).translationLanguages?.length;
    expect([await count('ANDROID'), await count('VISIONOS'), await count('WEB')]).toEqual([1, 156, 154]);
  });

  it('the dubbed video names English as its default audio, which is not the first', async () => {
    const list = trackList(await readPlayer(simulator.origin, 'ANDROID', 'dubbedAsr01'));
    const audio = list.audioTracks[list.defaultAudioTrackIndex];
    expect(list.captionTracks[audio?.defaultCaptionTrackIndex ?? -1]).toMatchObject({
      languageCode: 'en',
      kind: 'asr',
    });
    expect(list.captionTracks[0]?.languageCode).not.toBe('en');
  });

  it('the day-long video has about 30,000 cues in more than a megabyte', async () => {
    const [track] = trackList(await readPlayer(simulator.origin, 'VISIONOS', 'dayLong_001')).captionTracks;
    const { text } = await fetchText(`${track!.baseUrl}&fmt=json3`, {}, 5000);
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(JSON.parse(text).events.length).toBeGreaterThan(25_000);
  });
});
