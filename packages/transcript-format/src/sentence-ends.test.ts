import { describe, expect, it } from '@jest/globals';
import { toPassages } from './passages.ts';
import { endsSentence, sentenceMark } from './sentence-ends.ts';
import { cue } from './test-support/cues.ts';

/** The sentences of a text. */
const splitSentences = (text: string): string[] => {
  const marks = [...text.matchAll(sentenceMark)].map(({ 0: mark, index }) => index + mark.length);
  const ends = [0, ...marks.filter((end) => end < text.length && endsSentence(text, end)), text.length];
  return ends.slice(1).map((end, index) => text.slice(ends[index], end).trim());
};

describe('a sentence does not end', () => {
  it.each([
    ['after English titles', 'We met Dr. Lee, Mrs. Kim, Gen. Miller, Sen. Ray and Capt. Ahab of St. Paul.'],
    ['after English abbreviations', 'See Fig. A, e.g. Bread, by Miller et al. In Mt. Vernon, Acme Inc. Works.'],
    ['after the letters of a name', 'The U.S. Senate and J. R. R. Tolkien, Ph.D. Professor.'],
    ['after titles in capitals', 'WE ASK DR. LEE AND MR. SMITH OF ST. PAUL'],
    ['in German', 'Am 29. Mai, z.B. Anna bzw. Otto, Nr. Fünf, ca. Zehn, im II. Weltkrieg, z. B. Ulm.'],
    ['in Spanish', 'La Sra. Ruiz y Ud. Mismo, p. ej. Juan, en EE. UU. Hoy.'],
    ['in French', 'Voir M. Dupont, Mme. Curie, av. J.-C. Rome.'],
    ['in Italian and Portuguese', 'Il dott. Rossi e a Profa. Lima, pág. Dez.'],
    ['in Russian', 'На ул. Ленина в 1990 г. Москва и т. д. Потом проф. Иванов.'],
    ['in Swedish', 'Frukt, t.ex. Kiwi, m.m. Sedan.'],
    ['in Arabic and Hindi', 'قال د. أحمد، और डॉ. शर्मा यहाँ'],
    [
      'inside names of hosts, versions, decimals, addresses',
      'see docs.Example.org or v1.2.3 for 98.6, me@A.Example.org',
    ],
    ['before a small letter', 'He said “Stop!” and left. so it went on'],
    ['inside a reported Japanese quote', '彼は「行く。」と言った'],
  ])('%s', (_where, text) => {
    expect(splitSentences(text)).toEqual([text]);
  });
});

describe('a sentence ends', () => {
  it.each<[string, string[]]>([
    [
      'in English',
      [
        'That is all.',
        'Is it on?',
        'It is!',
        '“So be it.”',
        'He left (at last.)',
        'In 1984.',
        'For $5.',
        'At 3.5.',
        'End.',
      ],
    ],
    ['in Armenian and Ethiopic', ['Բարեւ ձեզ։', 'Ինչպես եք։', 'ሰላም ነው።', 'ደህና ነህ፧', 'አዎ።']],
    ['in Hindi with either mark', ['यह सही है।', 'वह सही है.', 'हाँ॥', 'ठीक']],
    ['in Urdu and Arabic', ['یہ ٹھیک ہے۔', 'كيف حالك؟', '«هذا جيد!»', 'نعم']],
    ['in Burmese, Khmer and Tibetan', ['သူလည်း သွားသည်။', 'សួស្តី។', 'ចប់៕', 'བཀྲ་ཤིས།', 'བདེ།']],
    ['in Greek with its own mark', ['Τι κάνεις;', 'Καλά.', 'Πού είσαι;', 'Εδώ']],
  ])('%s', (_where, sentences) => {
    expect(splitSentences(sentences.join(' '))).toEqual(sentences);
  });

  it('behind an East Asian mark without a space, and behind what closes it', () => {
    const sentences = ['今天很好。', '（是吗？）', '“好！”', '『「行きます。」』', '終わり'];
    expect(splitSentences(sentences.join(''))).toEqual(sentences);
  });
});

it('a passage without an end of a sentence in reach ends behind no abbreviation either', () => {
  const words = 'so we went along the road '.repeat(5);
  const cues = Array.from({ length: 12 }, (_, at) =>
    cue(at * 2_000, 1_900, at % 2 === 0 ? `${words}to the U.S.` : `Senate ${words}today`),
  );
  const texts = toPassages(cues, { chapters: [], language: 'en', maxCharacters: 300 }).map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(5);
  for (const text of texts) expect(text).not.toMatch(/U\.S\.$/);
});
