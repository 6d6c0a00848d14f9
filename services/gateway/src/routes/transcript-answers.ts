import { type LanguageDelivery, routes } from '@tds/contracts';
import { contentTypes } from '@tds/transcript-format';
import type { TranscriptEntry } from '../cache/transcript-entry.ts';
import { type Answer, JSON_TYPE } from '../http/answer.ts';
import { compressible } from '../http/compression.ts';
import { memoize } from '../memoize.ts';
import { type AnswerTo, answersOf } from './route-answer.ts';
import { pollUrl, type TranscriptQuery } from './transcript-mode.ts';

const delivered = answersOf(routes.getTranscript, 200);
const accepted = answersOf(routes.getTranscript, 202);

export type GetTranscript = typeof routes.getTranscript;

const POLL_AFTER_SECONDS = 2;

const languageTag = /^[A-Za-z0-9-]+$/;

/** A file does not say what was asked for and what it is instead, so its headers do: as `language` of the JSON wrapper. */
export const languageHeaders = (language: LanguageDelivery) => ({
  // The platform's own code is a stranger's text; what is no language tag stands in no header.
  ...(languageTag.test(language.delivered) && { 'Content-Language': language.delivered }),
  'X-Transcript-Language-Requested': language.requested,
  'X-Transcript-Fallback': String(language.fallback),
  'X-Transcript-Translation': language.translation,
  'X-Transcript-Kind': language.kind,
});

/** The bytes are the same however the transcript came; only headers tell a hit from a miss. */
export const deliveredAnswer = (
  entry: TranscriptEntry,
  raw: boolean,
  { cache, creditsCharged }: Pick<Answer, 'cache' | 'creditsCharged'>,
): AnswerTo<GetTranscript> => {
  if (!raw) return compressible(delivered.composed(JSON_TYPE, entry.wrapped, { cache, creditsCharged }));
  const headers = { 'Content-Disposition': entry.disposition, ...languageHeaders(entry.head.language) };
  const contentType = contentTypes[entry.head.format];
  return compressible(delivered.composed(contentType, entry.raw, { headers, cache, creditsCharged }));
};

const hits = {
  file: memoize((entry: TranscriptEntry) => deliveredAnswer(entry, true, { cache: 'HIT' })),
  wrapped: memoize((entry: TranscriptEntry) => deliveredAnswer(entry, false, { cache: 'HIT' })),
};

/** The answer of every cached read of this transcript. */
export const hitAnswer = (entry: TranscriptEntry, raw: boolean): AnswerTo<GetTranscript> =>
  raw ? hits.file(entry) : hits.wrapped(entry);

export const pendingAnswer = (
  requestId: string,
  asked: Pick<TranscriptQuery, 'format' | 'raw'>,
): AnswerTo<GetTranscript> =>
  accepted.json(
    { status: 'pending', request_id: requestId, poll_url: pollUrl(requestId, asked) },
    { cache: 'MISS', headers: { 'Retry-After': String(POLL_AFTER_SECONDS) } },
  );
