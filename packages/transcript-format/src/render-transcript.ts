import type { TranscriptFormat } from '@tds/contracts';
import { renderJson, type SecondsCue, secondsCues } from './formats/json.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { renderBoth, renderClean, renderTimestamped } from './formats/plain-text.ts';
import { renderSrt } from './formats/srt.ts';
import { renderVtt } from './formats/vtt.ts';
import { normalizeCues } from './normalize-cues.ts';
import type { TranscriptInput } from './transcript-input.ts';

const renderers: Record<TranscriptFormat, (input: TranscriptInput) => string> = {
  json: ({ cues }) => renderJson(cues),
  clean: ({ cues }) => renderClean(cues),
  timestamped: ({ cues }) => renderTimestamped(cues),
  both: ({ cues }) => renderBoth(cues),
  srt: ({ cues }) => renderSrt(cues),
  vtt: ({ cues }) => renderVtt(cues),
  md: renderMarkdown,
};

/** The raw file of a format; its exact bytes are this string in UTF-8, the same for the same input. */
export const renderTranscript = (input: TranscriptInput, format: TranscriptFormat): string =>
  renderers[format]({ ...input, cues: normalizeCues(input.cues) });

/** The part of the API's JSON wrapper that carries the transcript: cues for json, the raw file as text otherwise. */
export const transcriptContent = (
  input: TranscriptInput,
  format: TranscriptFormat,
): { cues: SecondsCue[] } | { text: string } =>
  format === 'json'
    ? { cues: secondsCues(normalizeCues(input.cues)) }
    : { text: renderTranscript(input, format) };
