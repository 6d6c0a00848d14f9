import { describe, expect, it } from '@jest/globals';
import { type Cue, PASSAGE_CHARACTERS } from '@tds/contracts';
import fc from 'fast-check';
import { normalizeCues } from './cues.ts';
import { toPassages } from './passages.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue } from './test-support/cues.ts';

const passagesOf = (cues: readonly Cue[], maxCharacters?: number) =>
  toPassages(normalizeCues(cues), {
    chapters: [],
    language: 'und',
    ...(maxCharacters !== undefined && { maxCharacters }),
  });
const textsOf = (cues: readonly Cue[], maxCharacters?: number) =>
  passagesOf(cues, maxCharacters).map(({ text }) => text);
/** Captions of two seconds, one after the other. */
const said = (...texts: string[]): Cue[] => texts.map((text, index) => cue(index * 2_000, 2_000, text));
const repeated = <Item>(times: number, items: readonly Item[]): Item[] =>
  Array.from({ length: times }, () => items).flat();

const speech = [
  'Everyone knows Mr. Smith from',
  'the U.S. office, e.g. by mail.',
  'He said',
  '“it works.” And it',
  'does! Why',
];

describe('passages of punctuated captions', () => {
  const texts = textsOf(said(...repeated(40, speech), 'not?'));

  it('end where a sentence ends, and nowhere inside of one', () => {
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(text).toMatch(/(?:by mail\.|works\.”|does!|not\?)$/);
  });

  it('have from 300 to 700 characters', () => {
    for (const text of texts.slice(0, -1)) expect(text.length).toBeGreaterThanOrEqual(300);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS);
  });

  it('end at the longest pause among the ends of sentences', () => {
    const cues = said(...repeated(30, ['One sentence of some words.']));
    const paused = cues.map((each, index) => (index < 14 ? each : { ...each, startMs: each.startMs + 900 }));
    expect(textsOf(paused)[0]).toBe(repeated(14, ['One sentence of some words.']).join(' '));
  });

  it('begin with a caption if one sentence ends as well as another: its time is exact', () => {
    const cues = said(...repeated(30, ['And so it is. Then it goes on', 'and ends here.']));
    for (const text of textsOf(cues)) expect(text).toMatch(/^And so it is\./);
  });
});

describe('passages of captions without punctuation', () => {
  it('end at the longest pause nearby, between two words', () => {
    const words = repeated(60, ['so', 'we', 'talk', 'about', 'cranes']);
    const cues = words.map((word, index) => cue(index * 300 + Math.floor(index / 80) * 900, 290, word));
    expect(textsOf(cues)[0]?.split(' ')).toHaveLength(80);
    expect(textsOf(cues).join(' ')).toBe(words.join(' '));
  });

  it('estimate the pause of captions that stay on screen while the next one is said', () => {
    const line = 'eight words that somebody says without a pause';
    const startOf = (index: number) => index * 3_000 + (index >= 9 ? 2_500 : 0);
    const cues = Array.from({ length: 30 }, (_, index) => cue(startOf(index), 6_000, line));
    expect(textsOf(cues)[0]).toBe(repeated(9, [line]).join(' '));
  });

  it('of one caption without a space never have more characters than asked for', () => {
    for (const unit of ['a', '猫', 'ก', '😀', '👩‍🚀', 'e\u0301'])
      for (const text of textsOf([cue(0, 1, unit.repeat(5_000))])) {
        expect(text.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS);
        expect(text.length % unit.length).toBe(0);
      }
  });

  it('cut a grapheme only if it is longer than a passage, and then no character', () => {
    const texts = textsOf([cue(0, 1, `😀${'\u{1F3FB}'.repeat(3_000)}`)]);
    expect(texts.every((text) => text.isWellFormed() && text.length <= PASSAGE_CHARACTERS)).toBe(true);
  });

  it('end between words in scripts without spaces', () => {
    const thai = 'สวัสดีครับวันนี้เราจะมาพูดถึงเรื่องภาษาไทย';
    const ends = textsOf([cue(0, 1, thai.repeat(60))]);
    const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment(thai)].map(
      ({ segment }) => segment,
    );
    for (const text of ends) expect(words.some((word) => text.endsWith(word))).toBe(true);
  });
});

describe('captions are joined', () => {
  it.each([
    ['by a space', ['one', 'two-', 'three'], 'one two- three'],
    ['by nothing inside a Japanese sentence', ['吾輩は', '猫で\nある。', '名前は'], '吾輩は猫である。名前は'],
    ['by nothing beside foreign words in it', ['今日は', 'Python 3', 'の話です。'], '今日はPython 3の話です。'],
    ['by nothing behind a Japanese mark', ['今日は、', 'Pythonで', '「C」です'], '今日は、Pythonで「C」です'],
    [
      'by a space behind such a mark in English',
      ['《Mesmerizer》', 'No way', '《End》'],
      '《Mesmerizer》 No way 《End》',
    ],
    ['by a space in Thai, which has no marks', ['สวัสดี', 'ครับ'], 'สวัสดี ครับ'],
    ['by a space in Japanese without marks', ['お話をしたいと', 'あの昔の'], 'お話をしたいと あの昔の'],
    [
      'by a space in recognised Chinese, whose only marks are its spaces',
      ['今天 我们 聊聊 这个 话题', '今天 我们'],
      '今天 我们 聊聊 这个 话题 今天 我们',
    ],
    ['by a space behind a sentence in Burmese and Khmer', ['ကောင်းတယ်။', 'သွားမယ်။'], 'ကောင်းတယ်။ သွားမယ်။'],
    ['by nothing inside a Burmese sentence', ['ကောင်း', 'တယ်။'], 'ကောင်းတယ်။'],
    ['by a space in Korean', ['안녕', '하세요 漢', '字。'], '안녕 하세요 漢字。'],
    [
      'by a space between sentences of two languages',
      ['Hello there.', '猫です', '(laughs) no'],
      'Hello there. 猫です (laughs) no',
    ],
    ['by a space from right to left', ['שלום', 'עולם'], 'שלום עולם'],
  ])('%s', (_how, lines, text) => {
    expect(textsOf(said(...lines))).toEqual([text]);
  });
});

describe('a passage begins', () => {
  it.each<[string, string[], string[]]>([
    [
      'with >>',
      ['>> Hi there.', 'How are', 'you? >> I am fine.'],
      ['>> Hi there. How are you?', '>> I am fine.'],
    ],
    ['with a dash and a name', ['- Ann: Hi.', '- Bob: Ho,\nho.'], ['- Ann: Hi.', '- Bob: Ho, ho.']],
    [
      'with a name that comes back',
      ['Ann: Hi.', 'Bob: Ho.', 'Ann: So.', 'Bob: No.'],
      ['Ann: Hi.', 'Bob: Ho.', 'Ann: So.', 'Bob: No.'],
    ],
    [
      'with a name in Chinese',
      ['主持人：你好', '嘉宾：你好', '主持人：请', '嘉宾：好'],
      ['主持人：你好', '嘉宾：你好', '主持人：请', '嘉宾：好'],
    ],
    [
      'with and after sounds',
      ['we go', '[Music]', '(applause)', '♪', 'and on'],
      ['we go', '[Music]', '(applause)', '♪', 'and on'],
    ],
  ])('%s', (_what, lines, passages) => {
    expect(textsOf(said(...lines))).toEqual(passages);
  });

  it.each([
    ['a colon in a sentence', ['Note: this is one.', 'The reason is: it works.', 'at 10:30 we go']],
    ['a shift of bits', ['x >> 2 is', 'a >>= b']],
    ['a word that is hidden', ['he is a', '[ __ ]', 'you know']],
    ['a sound in a sentence', ['thank you [Applause] so', 'much (really) now']],
    ['a dash without a name', ['- Yes?', '- No.']],
  ])('with no %s', (_what, lines) => {
    expect(textsOf(said(...lines))).toEqual([lines.join(' ')]);
  });

  it('with what follows a long silence', () => {
    expect(textsOf([cue(0, 1_000, 'a'), cue(10_999, 1_000, 'b'), cue(22_000, 1_000, 'c')])).toEqual([
      'a b',
      'c',
    ]);
    expect(textsOf([cue(0, 30_000, 'a'), cue(1_000, 1_000, 'b'), cue(20_000, 1_000, 'c')])).toEqual(['a b c']);
  });
});

describe('times', () => {
  it('begin with the caption of the first word, which is never later than that word, and end with the last', () => {
    const cues = [
      cue(0, 2_000, 'x'.repeat(150)),
      cue(2_000, 3_000, 'ya. Then z'),
      cue(4_000, 900, `${'z'.repeat(80)}.`),
    ];
    expect(passagesOf(cues, 200)).toMatchObject([
      { startMs: 0, endMs: 4_000, text: `${'x'.repeat(150)} ya.` },
      { startMs: 2_000, endMs: 4_900, text: `Then z ${'z'.repeat(80)}.` },
    ]);
  });
});

describe('captions of a passage', () => {
  it('begin where their first word stands, also if a sentence before it began in the same caption', () => {
    const cues = [
      cue(0, 2_000, 'x'.repeat(150)),
      cue(2_000, 3_000, 'ya. Then z'),
      cue(5_000, 900, `${'z'.repeat(80)}.`),
    ];
    const starts = passagesOf(cues, 200).map(({ text, captions }) =>
      captions.map(([offset, startMs]) => `${text.slice(offset, offset + 4)} at ${startMs}`),
    );
    expect(starts).toEqual([
      ['xxxx at 0', 'ya. at 2000'],
      ['Then at 2000', 'zzzz at 5000'],
    ]);
  });
});

const withoutSpace = (text: string) => text.replace(/\s+/g, '');
const wordsOf = (cues: readonly Cue[]) => normalizeCues(cues).flatMap(({ text }) => text.split(/\s+/));

describe('for any captions', () => {
  const sizes = fc.integer({ min: 200, max: 8_000 });

  it('no character is changed, added or lost, no passage is too long, and times ascend', () => {
    fc.assert(
      fc.property(arbitraryCues(60_000), sizes, fc.nat(400), (cues, size, times) => {
        const many = cues.map((each) => ({ ...each, text: each.text.repeat(times) }));
        const passages = passagesOf(many, size);
        expect(withoutSpace(passages.map(({ text }) => text).join(''))).toBe(
          withoutSpace(
            normalizeCues(many)
              .map(({ text }) => text)
              .join(''),
          ),
        );
        let before = 0;
        for (const { startMs, endMs, text, captions } of passages) {
          expect(captions[0]).toEqual([0, startMs]);
          for (const [offset] of captions) expect(text.charAt(offset)).toMatch(/\S/);
          expect(text.length).toBeLessThanOrEqual(size);
          expect(text).toBe(text.trim());
          expect(endMs).toBeGreaterThan(startMs);
          expect(startMs).toBeGreaterThanOrEqual(before);
          before = startMs;
        }
      }),
    );
  });

  it('with spaces between words the words are those of the captions', () => {
    const word = fc.stringMatching(
      /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Hebrew}\d.,:?!>'"()[\]-]{1,12}$/u,
    );
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 80 }), sizes, (texts, size) => {
        const cues = said(...texts);
        expect(textsOf(cues, size).flatMap((passage) => passage.split(/\s+/))).toEqual(wordsOf(cues));
      }),
    );
  });
});
