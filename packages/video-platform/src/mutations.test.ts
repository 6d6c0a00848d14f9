import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@tds/errors';
import { answerFiles, answerSources } from '@tds/simulators/platform/answers';
import { RefusedAnswer } from './classification/refusal.ts';
import { toRefusal } from './classification/rows.ts';
import { defaultLimits } from './config/limits.ts';
import { defaultStrategies } from './config/strategies.ts';
import { type PlayerAnswer, readPlayer } from './player/read-player.ts';
import { conclude, findCertainError } from './serving/conclude.ts';
import { createRoute } from './serving/engine.ts';
import { noEvidence, withAnswer } from './serving/evidence.ts';
import { isDurableVideoFact } from './test-support/facts.ts';
import { generateMutants } from './test-support/mutate.ts';
import { essentialPlayer, listPlayers } from './test-support/players.ts';
import { readCaptionBody } from './timedtext/read-captions.ts';
import { chooseTrack } from './tracks/choose-track.ts';
import { OpenExit } from './transport/session-pool.ts';

const exit = new OpenExit({ name: 'direct' }, defaultLimits);
const routes = defaultStrategies.map((row) => createRoute(row, exit, defaultLimits, () => new Date()));

/** The adapter's conclusion if every client gives the same answer: tracks, or an error. */
const conclusionOf = (body: string, videoId: string) => {
  const attempt = (() => {
    try {
      return { kind: 'ok', value: readPlayer(body, videoId, new Date()) } as const;
    } catch (thrown) {
      return { kind: 'refused', refusal: toRefusal(thrown, false) } as const;
    }
  })();
  const evidence = routes.reduce((known, route) => withAnswer(known, route, attempt), noEvidence);
  const [source] = evidence.sources;
  return source?.answer ?? findCertainError(evidence) ?? conclude(evidence, routes);
};

const chosenFrom = ({ video, broadcast, captions }: PlayerAnswer) => {
  const rest = {
    translationsComplete: true,
    strategy: 'a',
    exit: 'b',
    broadcast,
    video,
    ageSeconds: null,
    lacksForSeconds: null,
  };
  return chooseTrack({ ...captions, ...rest }, { language: 'he', fallback: true });
};

const outcomeOf = (body: string, videoId: string): string => {
  const conclusion = conclusionOf(body, videoId);
  if (conclusion instanceof ServiceError) return `${conclusion.code} ${isDurableVideoFact(conclusion)}`;
  // Any remaining tracks must allow a choice.
  return `tracks ${chosenFrom(conclusion).track.kind}`;
};

/** Whether the mutant still has its reason, in words or by its status. */
const stillSaysWhy = (body: string): boolean =>
  /private|unavailable|members|granted access/i.test(body) &&
  /"status":"(?:ERROR|UNPLAYABLE|LOGIN_REQUIRED)"/.test(body);

/** These mutants equal an answer about a video without captions. */
const WITHOUT_CAPTIONS = /captions(?:\.playerCaptionsTracklistRenderer\.captionTracks(?:\.0)?)? dropped$/;

describe.each(answerSources)('mutated player answers, $name', (answers) => {
  it.each(listPlayers(answers))(
    '$file gives a result or a typed error, and no fact without a reason',
    ({ file, videoId }) => {
      const body = essentialPlayer(answers.body(file));
      const original = outcomeOf(body, videoId);
      for (const mutant of generateMutants(body)) {
        const outcome = outcomeOf(mutant.body, videoId);
        const context = { mutant: mutant.name, outcome };
        if (outcome === 'no_captions true') {
          const isSilent = original.startsWith('no_captions') || WITHOUT_CAPTIONS.test(mutant.name);
          expect({ ...context, isSilent }).toEqual({ ...context, isSilent: true });
        } else if (outcome === 'video_unavailable true') {
          expect({ ...context, why: stillSaysWhy(mutant.body) }).toEqual({ ...context, why: true });
        }
      }
    },
  );
});

describe.each(answerSources)('mutated captions, $name', (answers) => {
  it.each(answerFiles.json3.map(({ name }) => name))(
    '%s gives cues or a refusal, never a crash or an empty transcript',
    (file) => {
      for (const mutant of generateMutants(answers.body(file))) {
        try {
          const { cues } = readCaptionBody(mutant.body);
          expect(cues.length).toBeGreaterThan(0);
          expect(cues.every((cue) => Number.isInteger(cue.startMs) && Number.isInteger(cue.durationMs))).toBe(
            true,
          );
        } catch (thrown) {
          expect(thrown instanceof RefusedAnswer || toRefusal(thrown, false).row === 'garbage').toBe(true);
        }
      }
    },
  );

  it.each(['captions/manual.srv3', 'captions/speech.srv1'])(
    '%s cut off anywhere is never a transcript',
    (file) => {
      const body = answers.body(file).trimEnd();
      for (let length = 0; length < body.length; length += 7) {
        expect(() => readCaptionBody(body.slice(0, length))).toThrow();
      }
    },
  );
});
