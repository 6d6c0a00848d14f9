import type { TranscriptFormat } from '@tds/contracts';
import { attachmentFileName, contentDisposition, publishedDay } from '../file-names.ts';
import { safeFileTitle } from '../file-titles.ts';
import { createUnfold, foldText } from '../fold.ts';
import { listPassages } from '../passage-list.ts';
import { renderTranscript } from '../render-transcript.ts';
import { asCaptions } from '../testing/hostile-captions.ts';
import { cue, inputOf, video } from './cues.ts';

type Read = (text: string) => unknown;

const file = (format: 'srt' | 'vtt' | 'md' | 'clean') => (text: string) =>
  renderTranscript(inputOf(cue(0, 1_000, text)), format);
const captions = (text: string) => {
  const cues = (text.match(/.{1,16}/gsu) ?? []).map((part, index) => cue(index, 1, part));
  return renderTranscript(inputOf(...cues), 'clean');
};
/** The text as one caption whose words have times. */
const timed = (text: string) => {
  const words = text.split(' ').map((word, at) => ({ startMs: at * 100, text: at === 0 ? word : ` ${word}` }));
  return renderTranscript(inputOf({ ...cue(0, 1_000, text), words }), 'clean');
};
/** Chapters in each ten seconds. */
const inChapters = (text: string) => {
  const cues = (text.match(/.{1,16}/gsu) ?? []).map((part, index) => cue(index * 100, 100, part));
  const chapters = Array.from({ length: 200 }, (_, at) => ({ start: at * 10, title: `${at}` }));
  return renderTranscript({ ...inputOf(...cues), video: { ...video, chapters } }, 'clean');
};
const named = (title: string) =>
  attachmentFileName({ id: 'abcdefghij0', title, published_at: null }, { language: title, format: 'srt' });

/** What a stranger repeats in a text, and what reads that text. */
export const repeatedTexts: readonly (readonly [string, Read, string])[] = [
  ['lines that end in blanks', file('srt'), 'a  \n'],
  ['a line of blanks before a last invisible one', file('srt'), 'a \u00a0'],
  ['open tags', file('srt'), '</a <'],
  ['open overrides', file('srt'), '{\\ {y'],
  ['arrows', file('srt'), '-->--'],
  ['entities', file('vtt'), '&<>'],
  ['Markdown', file('md'), 'www.:/[`'],
  ['line breaks', file('srt'), '\r\n\v\u2028'],
  ['what is no character', file('srt'), '\ufdd0\u200b'],
  ['one caption without a space', file('clean'), 'a'],
  ['one caption of dots', file('clean'), '.'],
  ['one caption of sentences that never end', file('clean'), 'a.a!a'],
  ['one caption of ends of sentences that go on', file('clean'), '. a'],
  ['one caption of blanks', file('clean'), 'a.\u3000\u3000\u3000\u3000'],
  ['one caption of a script without spaces', file('clean'), 'กขค'],
  ['one caption of accents', file('clean'), '\u0301'],
  ['one caption of joiners', file('clean'), '👩\u200d'],
  ['one caption of speakers', file('clean'), '>> a'],
  ['one caption of names', file('clean'), 'Aa Aa:\n'],
  ['one caption of lines', file('clean'), '猫\n'],
  ['one caption of dashes', file('clean'), '- a b c\n'],
  ['one caption of abbreviations', file('clean'), 'Dr. U.S. 3. A'],
  ['one caption of ends of many scripts', file('clean'), '。」”"）'],
  ['Markdown that may be emphasis', file('md'), 'a_____&#a@'],
  ['one caption of sounds', file('clean'), '[a]'],
  ['captions without a space', captions, 'aaa'],
  ['one caption of words with times', timed, 'so we go to the '],
  ['one caption of spaces between words with times', timed, 'a   '],
  ['one caption of words that end no clause', file('clean'), 'the '],
  ['captions with chapters', inChapters, 'so we go to the '],
  ['captions of sentences with chapters', inChapters, 'A. '],
  ['captions of sounds', captions, '[a]'],
  ['captions of names', captions, 'A: '],
  ['captions of names in Chinese', captions, '甲：“\n'],
  ['captions of dashes', captions, '- a\n- b\n'],
  ['captions of asterisks', captions, '*{(-'],
  ['captions of blanks between dots', captions, '.\u3000.'],
  ['captions of a script without spaces', captions, '猫です'],
  ['a title of dots', safeFileTitle, '. .'],
  ['a title of joiners', named, '\u200d.'],
  ['a name of accents', contentDisposition, 'e\u0301"%'],
  ['a date of digits', publishedDay, 'T1:.'],
];

const formats = ['json', 'words', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
const chapters = { id: 'abcdefghij0', chapters: [{ start: 1, title: 'One' }] };

/** What reads the captions that a text becomes. */
export const captionReaders: readonly (readonly [string, Read])[] = [
  ...formats.map((format) => {
    const read = (text: string) => renderTranscript(inputOf(...asCaptions(text)), format);
    return [`the format ${format}`, read] as const;
  }),
  ...[200, 8_000].map((size) => {
    const read = (text: string) => {
      const file = renderTranscript(inputOf(...asCaptions(text)), 'words');
      return listPassages(JSON.parse(file), { language: 'en', video: chapters }, size);
    };
    return [`passages of ${size} characters`, read] as const;
  }),
];

const speech = ({ count, format }: { readonly count: number; readonly format: TranscriptFormat }) => {
  const text = (index: number) => `words that someone says <${index}>\nand a second line & more`;
  const cues = Array.from({ length: count }, (_, index) => cue(index * 1_800, 3_600, text(index)));
  return renderTranscript(inputOf(...cues), format);
};

/** For counted steps. */
export const works = {
  ...Object.fromEntries([...repeatedTexts.map(([name, read]) => [name, read] as const), ...captionReaders]),
  speech,
  fold: (text: string) => [foldText(text), createUnfold(text)],
};
