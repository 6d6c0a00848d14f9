import { describe, expect, it } from '@jest/globals';
import type { VideoFacts } from './languages.ts';
import {
  attachmentName,
  clock,
  findEnd,
  findSecond,
  formatQuote,
  passageAt,
  type ReadableTranscript,
  readingAddress,
  readingCost,
  watchUrl,
} from './transcript.ts';

const cue = (start: number, text: string) => ({ start, duration: 2, text });
const cues = [cue(0, 'We choose to go'), cue(2, 'to the moon. We'), cue(4.5, 'choose it\nnow.')];
const passages = [
  { start: 0, end: 3.5, text: 'We choose to go to the moon.', url: '' },
  { start: 3.5, end: 6.5, text: 'We choose it now.', url: '' },
];
const language = {
  requested: 'en',
  delivered: 'en',
  kind: 'manual',
  fallback: false,
  translation: 'not_requested',
} as const;
const video = { id: 'manualEn001', title: 'A talk', channel_title: 'Talks' };
const transcript = { video, language, cues, passages } as unknown as ReadableTranscript;

describe('a quote', () => {
  const at = (passage: number, words: string) =>
    findSecond(passages, cues, { passage, offset: passages[passage]?.text.indexOf(words) ?? 0 });

  it('has the second of the caption in which it begins', () => {
    expect(at(0, 'We choose')).toBe(0);
    expect(at(0, 'the moon')).toBe(2);
    expect(at(1, 'choose it')).toBe(4.5);
    expect(at(1, 'now.')).toBe(4.5);
  });

  it('stays within its passage, also if its caption began before it or letters are missing', () => {
    expect(at(1, 'We')).toBe(3.5);
    expect(findSecond(passages, [cue(0, 'We')], { passage: 1, offset: 3 })).toBe(3.5);
    expect(findSecond(passages, [cue(60, 'W'.repeat(90))], { passage: 1, offset: 3 })).toBe(6.5);
    expect(findSecond([], [], { passage: 7, offset: 0 })).toBe(0);
  });

  it('names its source, its time, the address of its second, and that nobody said it', () => {
    expect(
      formatQuote({ ...transcript, isTranslated: false }, { text: ' to the\n moon. ', seconds: 3_725.9 }),
    ).toBe('“to the moon.” (A talk, Talks, 1:02:05)\nhttps://www.youtube.com/watch?v=manualEn001&t=3725s');
    const facts = { id: 'manualEn001', title: null, channel_title: null, published_at: null };
    expect(formatQuote({ video: facts, isTranslated: false }, { text: 'a', seconds: 0 })).toContain(
      '(manualEn001, 0:00)',
    );
    const dated = { ...facts, channel_title: 'Talks', published_at: '2026-05-04' };
    expect(formatQuote({ video: dated, isTranslated: true }, { text: 'a', seconds: 0 })).toContain(
      '(manualEn001, Talks, 2026-05-04, 0:00, translated by machine)',
    );
  });

  it('of a title from right to left keeps each fact in its own direction', () => {
    const title = 'المكتبة في النهر';
    const arabic = { ...transcript, video: { ...video, title, published_at: '2026-05-04' } };
    const quote = formatQuote(
      { ...(arabic as unknown as ReadableTranscript), isTranslated: false },
      { text: 'a', seconds: 31 },
    );
    expect(quote.split('\n')[0]).toBe(
      '“\u2068a\u2069” (\u2068المكتبة في النهر\u2069, \u2068Talks\u2069, \u20682026-05-04\u2069, \u20680:31\u2069)',
    );
  });
});

it.each([
  [0, '0:00'],
  [7.9, '0:07'],
  [725, '12:05'],
  [3_600, '1:00:00'],
  [90_061, '25:01:01'],
])('%s seconds are %s', (seconds, shown) => expect(clock(seconds)).toBe(shown));

it('a video without a second is its own address', () => {
  expect(watchUrl('manualEn001')).toBe('https://www.youtube.com/watch?v=manualEn001');
});

it('the passage of a second is the one that has begun by then', () => {
  expect([0, 3, 4, 99].map((second) => passageAt(passages, second))).toEqual([0, 1, 1, 1]);
  expect(passageAt([], 0)).toBe(-1);
});

it('the address of a view names the language if it is not the one that is spoken, and the second', () => {
  expect(readingAddress({ video: 'a', language: 'orig', at: 61 })).toBe('/read?video=a&at=61');
  expect(readingAddress({ video: 'a', language: 'orig', at: 61, words: 'old bridge' })).toBe(
    '/read?video=a&at=61&words=old+bridge',
  );
  expect(readingAddress({ video: 'a', language: 'orig' })).toBe('/read?video=a');
  expect(readingAddress({ video: 'a', language: 'en' })).toBe('/read?video=a&language=en');
  expect(readingAddress({ video: 'a&b', language: 'pt-BR' })).toBe('/read?video=a%26b&language=pt-BR');
});

describe('before a transcript is fetched', () => {
  it('its cost is said, and what the last look has found', () => {
    const facts = (status: string) => ({ video: { status } }) as VideoFacts;
    const wish = { video: 'a', language: 'orig' };
    expect(readingCost(facts('unknown'), wish)).toMatch(
      /^The transcript is not cached in the spoken language\. Fetching it costs 1 credit/,
    );
    expect(readingCost(facts('unknown'), { ...wish, language: 'ja' })).toContain('in Japanese (ja).');
    expect(readingCost(facts('no_captions'), wish)).toContain('the video had no captions');
    expect(readingCost(facts('unavailable'), wish)).toContain('private, deleted');
  });
});

it.each([
  ['attachment; filename="A talk.en.srt"', 'A talk.en.srt'],
  [`attachment; filename="_.en.srt"; filename*=UTF-8''%E6%9C%88.en.srt`, '月.en.srt'],
  ['attachment', 'transcript.txt'],
  [null, 'transcript.txt'],
])('the file name of %s is %s', (disposition, name) => expect(attachmentName(disposition)).toBe(name));

it('a quote ends with the caption in which its last letter is', () => {
  const cues = [
    { start: 0, duration: 2, text: 'One two' },
    { start: 2, duration: 3, text: 'three.' },
    { start: 9, duration: 1, text: 'Four.' },
  ];
  const passages = [
    { start: 0, end: 5, text: 'One two three.', url: '' },
    { start: 9, end: 10, text: 'Four.', url: '' },
  ];
  const end = (passage: number, offset: number, text: string) =>
    findEnd(passages, cues, { passage, offset, text });
  expect([end(0, 0, 'One'), end(0, 4, 'two three.'), end(0, 8, 'three. Four.'), end(1, 0, 'F')]).toEqual([
    2, 5, 10, 10,
  ]);
});
