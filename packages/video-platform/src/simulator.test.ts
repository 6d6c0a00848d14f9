import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { specialVideos } from '@tds/simulators/platform';
import { expectedCues } from '@tds/simulators/platform/testing';
import { factTtlSeconds, isDurableVideoFact } from './test-support/facts.ts';
import {
  deliver,
  rows,
  type Simulated,
  shortTimeouts,
  startSimulated,
  toOutcome,
} from './test-support/start-simulated.ts';
import { readCues } from './timedtext/read-captions.ts';
import { chooseTrack } from './tracks/choose-track.ts';
import type { AttemptRecord } from './types.ts';

let simulated: Simulated;
beforeAll(async () => {
  simulated = await startSimulated();
});
afterAll(() => simulated?.stop());
beforeEach(() => simulated.reset());

const limitsFor = (id: string) => (/^(?:hangs|slowDrip)/.test(id) ? shortTimeouts : {});
/** How long a refusal in a country is believed. */
const DAY_S = 86_400;
/** Slow videos have tests of their own. */
const isSlow = (id: string) => id.startsWith('slow');

describe('every special video', () => {
  it.each(specialVideos.filter(({ id }) => !isSlow(id)))('$id: $expect.outcome ($behaviour)', async (video) => {
    // Not all faults of the player affect the watch page, which would bypass them.
    const platform = simulated.open({
      strategies: rows('android', 'visionos', 'web'),
      limits: limitsFor(video.id),
    });
    const outcome = await deliver(platform, video.id).then(() => 'Transcript', toOutcome);
    expect(outcome).toBe(video.expect.outcome);
  });

  const delivered = specialVideos.filter(
    ({ id, expect: { outcome } }) => outcome === 'Transcript' && !isSlow(id),
  );

  it.each(delivered)('$id is read to its last cue', async ({ id }) => {
    const { choice, cues } = await deliver(simulated.open(), id);
    const { languageCode, kind } = choice.track;
    const withoutWords = cues.map(({ words: _, ...cue }) => cue);
    expect(withoutWords).toEqual(expectedCues(id, languageCode, kind, choice.translateTo ?? undefined));
    for (const { text, words } of cues)
      if (words) expect(words.map((word) => word.text).join(' ')).toBe(text.replaceAll(/\s+/g, ' '));
  });

  it('slow3sec_01 is waited for', async () => {
    const { cues } = await deliver(simulated.open(), 'slow3sec_01');
    expect(cues.length).toBeGreaterThan(0);
  });

  it('slowDrip_01 ends at the deadline of the attempt, although bytes keep coming', async () => {
    const platform = simulated.open({ strategies: rows('android'), limits: shortTimeouts });
    expect(await deliver(platform, 'slowDrip_01').catch(toOutcome)).toBe('UpstreamError');
  });

  it.each(specialVideos.filter(({ expect: { outcome } }) => outcome !== 'Transcript'))(
    '$id leaves a durable fact, or one of a day, only if the table says so',
    async ({ id, expect: expected }) => {
      const thrown = await deliver(
        simulated.open({ strategies: rows('android', 'visionos', 'web'), limits: limitsFor(id) }),
        id,
      ).catch((error) => error);
      const mayBeKept = expected.outcome === 'Unavailable' || expected.outcome === 'NoCaptions';
      expect(isDurableVideoFact(thrown) || factTtlSeconds(thrown) === DAY_S).toBe(mayBeKept);
    },
  );
});

describe('languages', () => {
  it.each([
    ['hebrewIw001', 'he', { delivered: 'iw', translation: 'not_requested', isFallback: false }],
    ['norwegian01', 'nb', { delivered: 'no', translation: 'not_requested', isFallback: false }],
    ['chinese_001', 'zh-CN', { delivered: 'zh-Hans', translation: 'not_requested' }],
    ['chinese_001', 'zh-HK', { delivered: 'zh-HK', translation: 'not_requested' }],
    ['manyLangs01', 'tl', { delivered: 'fil', translation: 'not_requested' }],
    ['manyLangs01', 'es-MX', { delivered: 'es-419', translation: 'not_requested' }],
    ['namedTrks01', 'en', { track: { languageCode: 'en', kind: 'manual', vssId: '.en' } }],
    ['manyLangs01', 'xx', { delivered: 'en', isFallback: true, translation: 'unavailable' }],
    ['manyLangs01', 'de', { delivered: 'de', translation: 'served', track: { languageCode: 'en' } }],
    ['dubbedAsr01', 'xx', { delivered: 'en', isFallback: true, translation: 'unavailable' }],
    ['manualEn001', 'xx', { delivered: 'en', isFallback: true, translation: 'unavailable' }],
    ['tlangVisWeb', 'es', { delivered: 'es', isFallback: false, translation: 'served' }],
    ['noTransl_01', 'es', { delivered: 'en', isFallback: true, translation: 'unavailable' }],
    ['noTrList_01', 'es', { delivered: 'en', isFallback: true, translation: 'unavailable' }],
  ])('%s in %s', async (id, language, expected) => {
    const { choice, cues } = await deliver(simulated.open(), id, language);
    expect(choice).toMatchObject(expected);
    expect(cues.length).toBeGreaterThan(0);
  });

  it('the date comes from a client that has it, and is left out if that client is silent', async () => {
    const bytes: number[] = [];
    const platform = simulated.open({ onAttempt: (attempt) => void bytes.push(attempt.bytes) });
    const inspection = await platform.inspectVideo('manualEn001', { language: 'en' }, {});
    expect(inspection.video.published_at).toBeNull();
    expect(await platform.findPublishDate('manualEn001', {})).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    // The second answer has only the fields with the date.
    expect(bytes[1]).toBeLessThan(bytes[0] ?? 0);
    simulated.simulator.faults.add({ match: { client: 'WEB' }, fault: 'hang' });
    const impatient = simulated.open({ limits: { dateMs: 50 } });
    expect(await impatient.findPublishDate('manualEn001', {})).toBeNull();
    expect(impatient.strategyHealth().every(({ lastFailureAt }) => lastFailureAt === null)).toBe(true);
  });

  it('tlang429_01: the translation is refused, and the fallback is served at once', async () => {
    const platform = simulated.open();
    const inspection = await platform.inspectVideo('tlang429_01', { language: 'es' }, {});
    const choice = chooseTrack(inspection, { language: 'es', fallback: true });
    await expect(platform.fetchTrack(inspection, choice, {}, readCues)).rejects.toMatchObject({
      code: 'translation_refused',
    });
    if (choice.fallbackChoice === null) throw new Error('no fallback');
    expect(choice.fallbackChoice).toMatchObject({ isFallback: true, translation: 'refused' });
    expect((await platform.fetchTrack(inspection, choice.fallbackChoice, {}, readCues)).length).toBeGreaterThan(
      0,
    );
  });
});

describe('memory', () => {
  const MEBIBYTE = 1024 * 1024;

  it.each(['endless10GB', 'endlessText'])('stays bounded when %s sends ten gigabytes', async (id) => {
    const before = process.memoryUsage().rss;
    let bytesRead = 0;
    const onAttempt = ({ bytes }: AttemptRecord) => {
      bytesRead += bytes;
    };
    expect(await deliver(simulated.open({ onAttempt }), id).catch(toOutcome)).toBe('UpstreamError');
    expect(bytesRead).toBeLessThan(100 * MEBIBYTE);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MEBIBYTE);
  });
});
