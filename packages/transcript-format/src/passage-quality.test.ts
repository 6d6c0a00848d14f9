import { describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import { findClauseWords } from './clause-words.ts';
import { normalizeCues, withoutWords } from './cues.ts';
import { buildPassages, listPassages } from './passage-list.ts';
import { renderTranscript } from './render-transcript.ts';
import { inputOf, video } from './test-support/cues.ts';
import { recogniseSpeech, spokenClauses } from './test-support/recognised-speech.ts';

const CLAUSES = 800;
const MAX_OPEN_SHARE = 0.02;

/** Of the ends of passages, the shares after a word that ends no clause, and between two clauses. */
const measureEnds = (cues: readonly Cue[], language: string, clauseEnds: ReadonlySet<number>) => {
  const video = { chapters: null };
  const texts = buildPassages(normalizeCues(cues), { language, video }).map(({ text }) => text);
  const endsNoClause = findClauseWords(language)?.endsNoClause ?? (() => false);
  const [counts, last] = [{ open: 0, between: 0 }, texts.length - 1];
  let words = 0;
  for (const text of texts.slice(0, last)) {
    words += text.split(' ').length;
    if (endsNoClause(text.split(' ').at(-1) ?? '')) counts.open += 1;
    if (clauseEnds.has(words)) counts.between += 1;
  }
  expect(last).toBeGreaterThan(50);
  return { open: counts.open / last, between: counts.between / last };
};

describe.each(Object.keys(spokenClauses))('recognised speech without marks, in %s', (language) => {
  const { cues, clauseEnds } = recogniseSpeech(language, CLAUSES);

  it('ends passages between clauses, and at most 2 of 100 after a word that ends none', () => {
    const { open, between } = measureEnds(cues, language, clauseEnds);
    expect(open).toBeLessThanOrEqual(MAX_OPEN_SHARE);
    expect(between).toBeGreaterThan(0.5);
  });

  it('ends none after such a word without the times of words either, and in a language without a list as before', () => {
    const untimed = cues.map(withoutWords);
    expect(measureEnds(untimed, language, clauseEnds).open).toBeLessThanOrEqual(MAX_OPEN_SHARE);
    const unlisted = (track: readonly Cue[]) =>
      buildPassages(track, { language: 'xx', video: { chapters: null } });
    expect(unlisted(cues)).toEqual(unlisted(untimed));
  });

  it('has the same passages in clean, both, md, the API and the library', () => {
    const input = { ...inputOf(...cues), language: { delivered: `${language}-XX`, kind: 'asr' as const } };
    const track = { language: input.language.delivered, video };
    const texts = buildPassages(normalizeCues(cues), track).map(({ text }) => text);
    const clean = texts.join('\n\n');
    expect(renderTranscript(input, 'clean')).toBe(clean);
    expect(renderTranscript(input, 'both')).toContain(`TRANSCRIPT\n\n${clean}\n\n`);
    const lines = renderTranscript(input, 'md')
      .split('\n')
      .filter((line) => /^\[\d/.test(line));
    expect(lines.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(texts);
    const file = JSON.parse(renderTranscript(input, 'words'));
    expect(listPassages(file, track, 700).map(({ text }) => text)).toEqual(texts);
  });
});

/** One caption of about that many characters, whose words are said one after the other. */
const hugeCue = (length: number): Cue => {
  const words = Array.from({ length: length / 5 }, (_, at) => ({
    startMs: at,
    text: at === 0 ? 'word' : ' word',
  }));
  return { startMs: 0, durationMs: 1, text: words.map(({ text }) => text).join(''), words };
};

describe('odd recognised speech', () => {
  const { cues } = recogniseSpeech('en', 60);
  const letters = (texts: readonly string[]) => texts.join('').replaceAll(/\s/g, '');

  it.each<[string, readonly Cue[], string]>([
    ['whose words have no times', cues.map(withoutWords), 'en'],
    [
      'whose times run backwards',
      cues.map((each) => ({ ...each, words: each.words?.toReversed() ?? [] })),
      'en',
    ],
    [
      'whose words have one time',
      cues.map((each) => ({ ...each, words: each.words?.map((word) => ({ ...word, startMs: 0 })) ?? [] })),
      'en',
    ],
    [
      'of mixed scripts',
      cues.map((each, at) => (at % 3 ? each : { ...each, text: `猫です ${each.text} สวัสดี` })),
      'ja',
    ],
    ['of a language that is none', cues, '\u202e'],
    ['of one caption', [hugeCue(50_000)], 'en'],
  ])('%s loses no word', (_what, odd, language) => {
    const passages = buildPassages(normalizeCues(odd), { language, video: { chapters: null } });
    expect(letters(passages.map(({ text }) => text))).toBe(letters(odd.map(({ text }) => text)));
    expect(passages.every(({ text }) => text.length <= 700)).toBe(true);
  });
});
