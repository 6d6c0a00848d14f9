import { unknownVideo } from '@tds/contracts';
import { renderTranscript } from '@tds/transcript-format';
import fc from 'fast-check';
import { CUE_SECONDS } from './players.ts';

/** Ends each cue, for a reader that joins them. No random text has it. */
export const MARK = '¦';
export const spoken = [
  ...[
    'x<1 and y>2',
    '1<2>3',
    'a < b and c > d',
    'if u < s > b',
    'x < i && i > 0',
    '<3 hearts> <1> <_x_>',
    '<> </>',
  ],
  ...['a < b', 'cout << x', 'I <3 you', 'vector<int> </b>', '<b>bold</b> <font color=red>', 'a <\nb >'],
  ...[
    '{i}word{/i} {b}',
    'let {a, b}',
    '{=0}c',
    '{T:1} {a:b}',
    '{\\an8}top',
    '{y:i}',
    'main() { return 0; }',
    'open { only',
  ],
  ...[
    'f(x) = {x : x<0 or x>1}',
    '} { \\{ x \\}',
    'a --> b <-> c',
    'AT&T &lt;b&gt; &amp; &nbsp;',
    '♪ مرحبا שלום 日本語 ไทย',
  ],
];
export const withBackslashes = ['C:\\new\\Nice\\home', 'print("a\\n") end', '\\alpha \\nabla \\hbar'];
const signs = fc.constantFrom(...'<>{}\\\\/nNhbi1 :-=_&|!c'.split(''), 'an8', 'font');
const random = fc
  .sample(fc.array(signs, { minLength: 3, maxLength: 12 }), { seed: 76, numRuns: 60 })
  .map((parts, at) => `${at}${parts.join('')}Z`);
export const texts = [...spoken, ...withBackslashes, ...random].map((text) => text + MARK);

type Format = 'srt' | 'vtt';

/** Each text at its own start, one after the other, or all of them at the first. */
export const fileOf = (format: Format, said: readonly string[], startOf = (at: number) => at): string => {
  const cues = said.map((text, at) => ({
    startMs: startOf(at) * CUE_SECONDS * 1000,
    durationMs: CUE_SECONDS * 1000,
    text,
  }));
  return renderTranscript(
    { cues, video: unknownVideo('dQw4w9WgXcQ'), language: { delivered: 'en', kind: 'manual' } },
    format,
  );
};

/** What two people say at once: as this product writes it, as one cue of two lines, and as two cues. */
export const pair = {
  written: (format: Format) => fileOf(format, ['It floats', 'on its own'], () => 0),
  lines: fileOf('vtt', ['It floats\non its own']),
  cues: `WEBVTT\n\n${['It floats', 'on its own'].map((text) => `00:00:00.000 --> 00:00:02.000\n${text}`).join('\n\n')}\n`,
};

/** The texts as VTT in which each angle bracket is a number. */
export const inNumbers = (): string =>
  fileOf(
    'vtt',
    texts.map((_, at) => `${at}`),
  ).replaceAll(/^(\d+)$/gm, (_, at) =>
    (texts[Number(at)] ?? '').replaceAll('&', '&amp;').replaceAll('<', '&#60;').replaceAll('>', '&#62;'),
  );
/** Look-alikes as the signs that they stand for. */
export const toSigns = (text: string): string =>
  text.replaceAll('\u2060', '').replaceAll('‹', '<').replaceAll('❴', '{').replaceAll('❵', '}');
export const shown = texts.map((text) => text.replaceAll('-->', '→'));

/** The texts of an SRT as VTT, in which a word joiner behind each backslash keeps ffmpeg from reading it. */
export const asDrawn = (srt: string): string => {
  const blocks = srt
    .trim()
    .split('\n\n')
    .map((block) => block.split('\n'));
  const safe = (text: string) =>
    text
      .replaceAll('\u2060', '')
      .replaceAll('\\', '\\\u2060')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
  return `WEBVTT\n\n${blocks.map(([, times = '', ...lines]) => `${times.replaceAll(',', '.')}\n${safe(lines.join('\n'))}`).join('\n\n')}\n`;
};

/** An SRT that nothing is replaced in: the test of the tests. */
export const rawSrt = (): string =>
  fileOf('vtt', shown)
    .replace('WEBVTT\n\n', '')
    .replaceAll(/^(\d\d:.*)\.(\d+ .*)\.(\d+)$/gm, '1\n$1,$2,$3')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
