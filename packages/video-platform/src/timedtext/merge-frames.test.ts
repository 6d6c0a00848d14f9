import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import { readCaptionBody } from './read-captions.ts';

const steps = createStepCounter<string>(new URL('../test-support/works.ts', import.meta.url));
afterAll(steps.stop);

type Seg = { readonly utf8: string; readonly pPenId?: unknown; readonly tOffsetMs?: number };
type Event = {
  readonly at: number;
  readonly lasts: number;
  readonly window?: unknown;
  readonly segs: readonly Seg[];
};

const event = (
  at: number,
  lasts: number,
  segs: readonly Seg[] | string,
  pen: unknown = 1,
  window?: unknown,
): Event => ({
  ...{ at, lasts, window },
  segs: typeof segs === 'string' ? [{ utf8: segs, ...(pen !== null && { pPenId: pen }) }] : segs,
});
const json3 = (events: readonly Event[]): string =>
  JSON.stringify({
    events: events.map(({ at, lasts, window, segs }) => ({
      tStartMs: at,
      dDurationMs: lasts,
      wpWinPosId: window,
      segs,
    })),
  });
const readCues = (...events: readonly Event[]) =>
  readCaptionBody(json3(events)).cues.map(({ startMs, durationMs, text }) => [
    startMs,
    startMs + durationMs,
    text,
  ]);

const LINE = ['I ', 'love ', 'you ', 'so'];
/** The line with its first words in another colour. */
const sungTo = (words: number): Seg[] => LINE.map((utf8, index) => ({ utf8, pPenId: index < words ? 1 : 2 }));

describe('what is drawn frame by frame is one cue', () => {
  it('in colours that move on, from the first frame to the end of the last', () => {
    const frames = [1, 1, 2, 2, 3, 3, 4, 4].map((words, frame) => event(frame * 300, 300, sungTo(words)));
    expect(readCues(...frames, event(3_000, 1_500, 'next line', null))).toEqual([
      [0, 2_400, 'I love you so'],
      [3_000, 4_500, 'next line'],
    ]);
  });

  it('with a shadow below each frame and a translation beside it', () => {
    const frames = [1, 2, 3, 4].flatMap((words, frame) => [
      event(frame * 300, 300, sungTo(words)),
      event(frame * 300, 300, [
        { utf8: '\u200b', pPenId: 9 },
        { utf8: 'I love you so', pPenId: 3 },
      ]),
      ...(frame === 0 ? [event(0, 1_200, 'Je t’aime', 5, 2)] : []),
    ]);
    expect(readCues(...frames)).toEqual([
      [0, 1_200, 'I love you so'],
      [0, 1_200, 'Je t’aime'],
    ]);
  });

  it('as a line that fades, also with a gap of a frame', () => {
    expect(readCues(event(0, 100, 'Hey', 32), event(100, 367, 'Hey', 15), event(507, 100, 'Hey', 35))).toEqual([
      [0, 607, 'Hey'],
    ]);
  });

  it('in XML', () => {
    const frames = [1, 2, 3].map(
      (pen) =>
        `<p t="${pen * 300}" d="300" wp="2"><s p="9">\u200b</s><s p="${pen}"> la </s><s p="4">li</s></p>`,
    );
    const { cues } = readCaptionBody(`<timedtext format="3"><body>${frames.join('\n')}</body></timedtext>`);
    expect(cues).toEqual([{ startMs: 300, durationMs: 900, text: 'la li' }]);
  });
});

describe('a text that grows', () => {
  it('is one cue, also with a layer below', () => {
    const texts = ['T', 'The', 'The moon', 'The moon is red'];
    const events = texts.flatMap((text, at) => [
      event(at * 400, 400, text, 1, 3),
      event(at * 400, 400, text, 2, 3),
    ]);
    expect(new Set(readCues(...events).map(String))).toEqual(new Set(['0,1600,The moon is red']));
  });

  it('stays what it is in another window, after a gap, or once it was read', () => {
    const apart = [event(0, 300, 'hey', 1, 1), event(300, 300, 'hey you', 1, 2)];
    const later = [event(0, 300, 'hey', 1, 1), event(400, 300, 'hey you', 1, 1)];
    const said = [event(0, 900, 'No.', 1, 1), event(900, 900, 'No. No!', 1, 1)];
    for (const events of [apart, later, said]) expect(readCues(...events)).toHaveLength(2);
  });
});

describe('what is said again stays', () => {
  it.each([
    [
      'in plain captions',
      [event(0, 300, 'no', null), event(300, 300, 'no', null), event(600, 300, 'no no', null)],
    ],
    ['in one colour', [event(0, 300, 'hey'), event(300, 300, 'hey')]],
    [
      'in one colour with a shadow',
      [event(0, 900, 'hey', 1), event(0, 900, 'hey', 2), event(900, 900, 'hey', 1), event(900, 900, 'hey', 2)],
    ],
    ['after a pause', [event(0, 900, 'hey', 1), event(1_000, 900, 'hey', 2)]],
    ['while the first is on screen', [event(0, 900, 'yeah', 1), event(400, 900, 'yeah', 2)]],
    [
      'word by word',
      [
        event(0, 300, [
          { utf8: 'a', pPenId: 1 },
          { utf8: 'b', pPenId: 2, tOffsetMs: 90 },
        ]),
        event(300, 300, [
          { utf8: 'a', pPenId: 2 },
          { utf8: 'b', pPenId: 1, tOffsetMs: 90 },
        ]),
      ],
    ],
  ])('%s', (_where, events) => {
    expect(readCues(...events)).toHaveLength(events.length);
  });
});

it('pens of any kind are read', () => {
  expect(readCues(event(0, 9, 'a', { toString: 1 }, []), event(9, 9, 'a', 'x', { valueOf: 1 }))).toHaveLength(
    1,
  );
});

it.each<[string, (at: number) => Event]>([
  ['one text in two colours', (at) => event(at, 1, 'a', at % 2)],
  ['texts that grow', (at) => event(at, 1, 'a'.repeat(at % 400), at % 2)],
  ['different texts at once', (at) => event(0, 1, `a${at}`, at % 2)],
])('%s takes steps in proportion to its length', async (_what, make) => {
  const body = (length: number) => json3(Array.from({ length }, (_, at) => make(at)));
  const few = await steps.count('a caption body', body(1_000));
  // In square time it would be 64 times as many.
  expect(await steps.count('a caption body', body(8_000))).toBeLessThan(few * 12);
});
