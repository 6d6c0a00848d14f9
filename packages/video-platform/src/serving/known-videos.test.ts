import { afterEach, describe, expect, it } from '@jest/globals';
import { isDurableVideoFact } from '../test-support/facts.ts';
import { captions, closeAll, setUp } from '../test-support/set-up.ts';
import { playable, refusedBy, VIDEO_ID, wireTrack } from '../test-support/wire.ts';

afterEach(closeAll);

const KNOWN_ID = 'knownVideo1';
const english = playable([wireTrack('en')]);
const gone = refusedBy('ERROR', 'This video is unavailable');
const removed = refusedBy('ERROR', 'This video has been removed by the uploader');
const dated = { playerMicroformatRenderer: { publishDate: '2020-01-01' } };
const silent = playable([], [], { microformat: dated });

/** A platform whose clients all answer about the known video and about any other. */
const start = async (answers: { known: string; other: string }) => {
  const answer = ({ body }: { body: string }) => {
    const { videoId } = JSON.parse(body);
    const given = videoId === KNOWN_ID ? answers.known : answers.other;
    return { body: given.replaceAll(VIDEO_ID, videoId) };
  };
  const tools = await setUp({ ANDROID: answer, VISIONOS: answer, WEB: answer, timedtext: captions });
  const check = () => tools.platform.checkRoutes('direct', KNOWN_ID, { language: 'en' }, {});
  return { ...tools, check };
};

describe('what a route says of a known video as well', () => {
  it.each([
    ['a refusal', gone],
    ['no captions', silent],
  ])('is its own fault until it serves a known one again: %s', async (_kind, answer) => {
    const answers = { known: answer, other: answer };
    const { check, failure } = await start(answers);
    expect(isDurableVideoFact(await failure())).toBe(true);
    await check();
    await check();
    const error = await failure();
    expect(error).toMatchObject({
      code: 'upstream_error',
      data: { retryable: true },
      fact: { kind: 'none' },
    });
    answers.known = english;
    await check();
    expect(isDurableVideoFact(await failure())).toBe(true);
  });

  it('leaves a refusal of another video in other words a fact', async () => {
    const { check, failure } = await start({ known: gone, other: removed });
    await check();
    expect(isDurableVideoFact(await failure())).toBe(true);
  });
});
