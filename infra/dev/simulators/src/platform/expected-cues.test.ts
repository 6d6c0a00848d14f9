import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from './index.ts';
import { type PlatformSimulator, startPlatformSimulator } from './start-platform-simulator.ts';
import { readableFormats, readCues } from './test-support/caption-readers.ts';
import { captionAddress, fetchText, readPlayer, trackList } from './test-support/platform-client.ts';
import { channelVideoIds, expectedCues } from './testing/expected.ts';

const SEED = 7;
const channelUploads = [0, 2, 4, 8].flatMap((index) => channelVideoIds(index, SEED).slice(0, 4));
const special =
  'manualEn001 asrOnlyEn01 chinese_001 hebrewIw001 namedTrks01 oneCue_0001 cueArrow_01 cueMarkup01 cueAmp_0001 ' +
  'cueBlank_01 cueZwsp_001 karaoke_001 strayHost01';
const videoIds = [...channelUploads, ...special.split(' '), loadVideoId(1), loadVideoId(9_999_999)];

describe('expected cues', () => {
  let simulator: PlatformSimulator;
  beforeAll(async () => {
    simulator = await startPlatformSimulator({ seed: SEED });
  });
  afterAll(() => simulator.close());

  it.each(videoIds)('are what a reader gets of %s from every track in every format', async (id) => {
    const answer = await readPlayer(simulator.origin, 'VISIONOS', id);
    for (const track of answer.captions ? trackList(answer).captionTracks : []) {
      const kind = track.kind === 'asr' ? 'asr' : 'manual';
      const options = { seed: SEED, trackName: track.trackName };
      const cues = expectedCues(id, track.languageCode, kind, undefined, options);
      expect(cues.length).toBeGreaterThan(0);
      for (const format of readableFormats) {
        const { text } = await fetchText(captionAddress(simulator.origin, track.baseUrl, format));
        expect(readCues(format, text)).toEqual(cues);
      }
    }
  });

  it('of a translation are marked with its language', async () => {
    const [manual, asr] = trackList(await readPlayer(simulator.origin, 'ANDROID', 'load0000005')).captionTracks;
    for (const [kind, track] of [['manual', manual] as const, ['asr', asr] as const]) {
      const { text } = await fetchText(captionAddress(simulator.origin, track!.baseUrl, 'json3', 'ja'));
      const cues = expectedCues('load0000005', 'en', kind, 'ja', { seed: SEED });
      expect(cues[0]?.text).toMatch(/^\[ja\] /);
      expect(readCues('json3', text)).toEqual(cues);
    }
  });

  it('a translation into the own language is damaged', async () => {
    const [track] = trackList(await readPlayer(simulator.origin, 'ANDROID', 'load0000005')).captionTracks;
    const { text } = await fetchText(captionAddress(simulator.origin, track!.baseUrl, 'json3', 'en'));
    expect(text).toContain('\ufffd');
  });

  it('refuse a track that does not exist', () => {
    expect(() => expectedCues('manualEn001', 'de', 'manual')).toThrow(RangeError);
  });
});
