import { describe, expect, it } from '@jest/globals';
import { RefusedAnswer } from '../classification/refusal.ts';
import { json3 } from '../test-support/wire.ts';
import { readCaptionBody } from './read-captions.ts';

const textsOf = (body: string) => readCaptionBody(body).cues.map((cue) => cue.text);
const events = (...given: readonly unknown[]) => JSON.stringify({ events: given });
const rowOf = (body: string): string => {
  try {
    readCaptionBody(body);
  } catch (thrown) {
    if (thrown instanceof RefusedAnswer) return thrown.refusal.row;
    throw thrown;
  }
  return 'read';
};

describe('json3', () => {
  it('joins words, skips windows and drops rows by their text', () => {
    const body = events(
      { tStartMs: 0, dDurationMs: 9000, id: 1, wpWinPosId: 1 },
      { tStartMs: 100, dDurationMs: 500, segs: [{ utf8: 'two' }, { utf8: ' words', tOffsetMs: 90 }] },
      { tStartMs: 300, aAppend: 1, segs: [{ utf8: '\n' }] },
      { tStartMs: 700, dDurationMs: 500, aAppend: 1, segs: [{ utf8: 'appended' }] },
    );
    expect(readCaptionBody(body)).toEqual({
      cues: [
        {
          ...{ startMs: 100, durationMs: 500, text: 'two words' },
          words: [
            { startMs: 100, text: 'two' },
            { startMs: 190, text: 'words' },
          ],
        },
        { startMs: 700, durationMs: 500, text: 'appended', words: [{ startMs: 700, text: 'appended' }] },
      ],
      omitted: 0,
    });
  });

  it('has no words without times within a cue, and ignores times that are none', () => {
    const segs = [{ utf8: 'two' }, { utf8: ' words' }];
    expect(readCaptionBody(events({ tStartMs: 5, dDurationMs: 1, segs })).cues[0]).not.toHaveProperty('words');
    const odd = [
      ...segs,
      { utf8: ' more', tOffsetMs: -4 },
      { utf8: ' and', tOffsetMs: 'soon' },
      { utf8: ' so', tOffsetMs: 7 },
    ];
    expect(readCaptionBody(events({ tStartMs: 5, dDurationMs: 1, segs: odd })).cues[0]?.words).toEqual([
      ...['two', 'words', 'more', 'and'].map((text) => ({ startMs: 5, text })),
      { startMs: 12, text: 'so' },
    ]);
  });

  it('lets a cue without duration last until the next later one, five seconds at most', () => {
    const at = (tStartMs: number, dDurationMs?: number) => ({ tStartMs, dDurationMs, segs: [{ utf8: 'a' }] });
    const body = events(at(100), at(100, 0), at(400), at(600_000), at(700_000, 9_000));
    expect(readCaptionBody(body).cues.map((cue) => cue.durationMs)).toEqual([300, 300, 5_000, 5_000, 9_000]);
  });

  it('reads absent numbers as zero, and numbers that are written as text', () => {
    const body = events(
      { dDurationMs: 900, segs: [{ utf8: 'first' }] },
      { tStartMs: '2500', dDurationMs: '40.6', segs: [{ utf8: 'text' }] },
    );
    expect(readCaptionBody(body).cues).toEqual([
      { startMs: 0, durationMs: 900, text: 'first' },
      { startMs: 2500, durationMs: 41, text: 'text' },
    ]);
  });

  it('begins at 0 what begins before, and leaves out what ends before', () => {
    const at = (tStartMs: unknown, dDurationMs: number | undefined, utf8: string) => ({
      ...{ tStartMs, dDurationMs },
      segs: [{ utf8 }, { utf8: ' b', tOffsetMs: 600 }],
    });
    const body = events(
      at(-500, 2_300, 'a'),
      at('-400', undefined, 'c'),
      at(-900, 900, 'x'),
      at(2_000, 900, 'd'),
    );
    expect(readCaptionBody(body)).toMatchObject({
      cues: [
        {
          ...{ startMs: 0, durationMs: 1_800, text: 'a b' },
          words: [
            { startMs: 0, text: 'a' },
            { startMs: 100, text: 'b' },
          ],
        },
        { startMs: 0, durationMs: 2_000, text: 'c b' },
        { startMs: 2_000, durationMs: 900, text: 'd b' },
      ],
      omitted: 0,
    });
    const timedtext = '<timedtext><body><p t="-500" d="900">a</p></body></timedtext>';
    const transcript = '<transcript><text start="-0.5" dur="0.9">a</text></transcript>';
    for (const xml of [timedtext, transcript])
      expect(readCaptionBody(xml).cues).toEqual([{ startMs: 0, durationMs: 400, text: 'a' }]);
  });

  it('takes text literally: no entities, no markup', () => {
    expect(textsOf(json3('<b>x</b> &amp; --> y', 'a\n\nb'))).toEqual(['<b>x</b> &amp; --> y', 'a\n\nb']);
  });

  it('orders cues by time and keeps the order of equal times', () => {
    const at = (tStartMs: number, utf8: string) => ({ tStartMs, dDurationMs: 1, segs: [{ utf8 }] });
    expect(textsOf(events(at(5, 'c'), at(1, 'a'), at(5, 'd'), at(2, 'b')))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('omits and counts a few odd events', () => {
    const good = Array.from({ length: 20 }, (_, at) => ({
      tStartMs: at,
      dDurationMs: 1,
      segs: [{ utf8: 'x' }],
    }));
    const read = readCaptionBody(events(...good, { tStartMs: 'soon', segs: [{ utf8: 'y' }] }, null));
    expect(read.cues).toHaveLength(20);
    expect(read.omitted).toBe(2);
  });

  it('rejects captions with too many odd events, whose gaps would stay unnoticed', () => {
    expect(
      rowOf(events({ tStartMs: 1, segs: [{ utf8: 'x' }] }, { tStartMs: null, segs: [{ utf8: 'y' }] })),
    ).toBe('damaged_captions');
  });
});

describe('srv3', () => {
  const srv3 = (rows: string) =>
    `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><body>${rows}</body></timedtext>`;

  it('reads words, breaks, entities and missing times', () => {
    const body = srv3(
      '<w t="0" id="1"/><p d="500">it&#39;s <s>a</s><s t="90"> b</s></p>\n<p t="700" w="1" a="1">\n</p><p t="900">c<br/>d &amp;amp; e</p>',
    );
    expect(readCaptionBody(body).cues).toEqual([
      {
        ...{ startMs: 0, durationMs: 500, text: "it's a b" },
        words: [
          { startMs: 0, text: "it's" },
          { startMs: 0, text: 'a' },
          { startMs: 90, text: 'b' },
        ],
      },
      {
        ...{ startMs: 900, durationMs: 5_000, text: 'c\nd &amp; e' },
        words: [{ startMs: 900, text: 'c\nd &amp; e' }],
      },
    ]);
    expect(readCaptionBody(srv3('<p d="500">a <s>b</s></p>')).cues[0]).not.toHaveProperty('words');
  });
});

describe('srv1', () => {
  it('decodes twice and strips markup that is encoded once', () => {
    const body =
      '<transcript><text start="1.5" dur="2.25">it&amp;#39;s &lt;i>not&lt;/i> &amp;lt;b&amp;gt;</text><text start="9">a &lt; b</text></transcript>';
    expect(readCaptionBody(body).cues).toEqual([
      { startMs: 1500, durationMs: 2250, text: "it's not <b>" },
      { startMs: 9000, durationMs: 5_000, text: 'a < b' },
    ]);
  });
});

describe('srv2', () => {
  it('has its cues as texts with milliseconds', () => {
    const body =
      '<timedtext><window t="0" id="1"/><text d="900" w="1">a &amp; b</text><text t="1000" d="50">c</text></timedtext>';
    expect(readCaptionBody(body).cues).toEqual([
      { startMs: 0, durationMs: 900, text: 'a & b' },
      { startMs: 1000, durationMs: 50, text: 'c' },
    ]);
  });
});

describe('XML with forbidden characters', () => {
  it.each([
    ['raw controls', 'a\u0003b\vc', 'ab\nc'],
    ['references to controls', 'a&#x1b;b&#3;c', 'abc'],
    ['code points that are no characters', 'a\uffffb&#xfffe;', 'ab'],
    ['a bare ampersand', 'R&B & AT&T; &', 'R&B & AT&T; &'],
    ['entities of HTML', 'caf&eacute;&nbsp;&copy; &LT;x', 'caf\u00e9\u00a0\u00a9 <x'],
    ['what only looks like one', '&#; &#xzz; &nothing;', '&#; &#xzz; &nothing;'],
    ['half of a character', 'a &#55357;', 'a \ufffd'],
    ['a half before more', '&#55357; ok &#xde00;', '\ufffd ok \ufffd'],
    ['both halves', '&#55357;&#56832;', '\u{1f600}'],
    ['good ones beside them', '&lt;i&gt; &amp;amp; &#169;\u0001', '<i> &amp; \u00a9'],
  ])('is read without them: %s', (_, text, expected) => {
    const body = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><body><p t="0">${text}</p></body></timedtext>`;
    const [read] = textsOf(`\ufeff\n${body}`);
    expect(read).toBe(expected);
  });
});

describe('an invalid transcript', () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><transcript><text start="0">&z;</text></transcript>';

  it.each([
    ['an empty transcript', '<?xml version="1.0"?><transcript/>', 'captions_without_text'],
    ['only padding', json3('\u200b', ' \n'), 'captions_without_text'],
    ['no events', '{"events":[]}', 'captions_without_text'],
    ['an empty list left out', '{"wireMagic":"pb3","pens":[{}]}', 'captions_without_text'],
    ['another XML', '<feed></feed>', 'not_captions'],
    ['another text', 'WEBVTT\n\n00:00.000 --> 00:01.000\nx', 'not_captions'],
    ['nothing but space', '  \n', 'not_captions'],
    ['a doctype', bomb, 'doctype'],
  ])('is rejected: %s', (_, body, row) => {
    expect(rowOf(body)).toBe(row);
  });

  const cue = '{"tStartMs":1,"dDurationMs":1,"segs":[{"utf8":"x"}]}';
  const timedtext = (rows: string) => `<timedtext><body>${rows}</body></timedtext>`;

  it.each([
    ['more cues than a day has seconds', `{"events":[${`${cue},`.repeat(100_000)}${cue}]}`, 'too_many_cues'],
    ['millions of elements', timedtext('<p>'.repeat(3_000_000)), 'too_dense'],
    ['millions of entities', timedtext(`<p>${'&amp;'.repeat(1_500_000)}</p>`), 'too_dense'],
    ['millions of events', `{"events":[${'{},'.repeat(3_000_000)}{}]}`, 'too_dense'],
    [
      'millions of segments',
      `{"events":[{"tStartMs":1,"segs":[${'1,'.repeat(3_000_000)}1]}]}`,
      'damaged_captions',
    ],
    ['elements deep in each other', timedtext('<p>'.repeat(20)), 'too_deep'],
    [
      'an element of many attributes',
      timedtext(`<p ${Array.from({ length: 40 }, (_, at) => `a${at}="1"`).join(' ')}>x</p>`),
      'too_many_attributes',
    ],
  ])('is rejected before it takes much time: %s', (_, body, row) => {
    expect(rowOf(body)).toBe(row);
  });

  it.each([
    ['JSON that stops', json3('a', 'b').slice(0, -9)],
    ['XML that stops', '<transcript><text start="0">a</text>'],
    ["elements in each other's way", '<transcript><text start="0">a</transcript></text>'],
  ])('throws for its caller to classify: %s', (_, body) => {
    expect(() => readCaptionBody(body)).toThrow();
  });
});
