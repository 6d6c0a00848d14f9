import { expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { renderTranscript } from '@tds/transcript-format';
import { languageOf } from './manifest.ts';
import { buildDeliveredFile } from './stored-rows.ts';
import { newRow, undeliveredFields } from './test-support/rows.ts';

const cues = [{ startMs: 0, durationMs: 1_000, text: 'hello' }];
const video = { ...unknownVideo('AAAAAAAAAA0'), title: 'T', duration: 1 };
const stored = (format: 'md' | 'srt') =>
  Buffer.from(renderTranscript({ cues, video, language: { delivered: 'en', kind: 'manual' } }, format));
const fallback = languageOf(newRow({ requested_language: 'es', fallback: true, translation: 'refused' }));

it('a file of md says what was asked for; every other one is delivered as it is stored', () => {
  if (fallback === null) throw new Error('the row was delivered');
  expect(buildDeliveredFile('md', stored('md'), { language: fallback }).toString()).toContain(
    '- Language requested: es\n',
  );
  expect(buildDeliveredFile('srt', stored('srt'), { language: fallback })).toEqual(stored('srt'));
});

it('a row without a file was delivered in no language', () => {
  expect(languageOf(newRow(undeliveredFields))).toBeNull();
});
