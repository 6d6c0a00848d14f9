import type { LanguageDelivery, StoredFormat, TranscriptFormat, TranscriptSelection } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type ParsedFields, routes } from '@tds/http-api';
import { contentTypes } from '@tds/transcript-format';
import type { TranscriptEntry } from '../../cache/index.ts';
import { memoize } from '../../domain/memoize.ts';
import { findVideo, hasVideo, videoFault } from '../../domain/read-video.ts';
import { type Answer, asCompressible, JSON_TYPE } from '../../wire/index.ts';
import { type AnswerTo, createAnswers } from '../serve/index.ts';

type TranscriptQuery = ParsedFields<typeof routes.getTranscript.query>;

const DEFAULT_FORMAT: TranscriptFormat = 'both';

type FormatQuery = Pick<TranscriptQuery, 'format' | 'words' | 'passages'>;

/** The format of the file that a query asks for; undefined if it names none. Passages end where the times of words say. */
export const toStoredFormat = ({ format, words, passages }: FormatQuery): StoredFormat | undefined =>
  words || passages ? 'words' : format;

const hasFormat = ({ format, words }: Omit<FormatQuery, 'passages'>): boolean => !words || format === 'json';

/** The selection to read or start, one object per query; null in poll mode and for what `readRequestId` refuses. */
export const toSelection = memoize((query: TranscriptQuery): TranscriptSelection | null => {
  const videoId = findVideo(query);
  if (videoId === null || query.request_id !== undefined || !hasFormat(query)) return null;
  const { language, fallback } = query;
  return { videoId, language, fallback, format: toStoredFormat(query) ?? DEFAULT_FORMAT };
});

/** The request id of a poll. Throws if the query names both modes or none, or words of another format than json. */
export const readRequestId = (query: TranscriptQuery): string => {
  const { request_id } = query;
  if (!hasFormat(query)) throw serviceError('invalid_words');
  if (query.refresh && !hasVideo(query)) throw serviceError('invalid_refresh');
  if (request_id === undefined && !hasVideo(query)) {
    throw serviceError('unknown_query_mode', {
      message: 'Send video_id, input or url to start or read, or request_id to poll.',
    });
  }
  if (request_id === undefined) throw videoFault(query);
  if (hasVideo(query)) {
    throw serviceError('conflicting_query_modes', { message: 'Send a video or request_id, not both.' });
  }
  return request_id;
};

/** The form of the answer. */
export type TranscriptForm = FormatQuery & Pick<TranscriptQuery, 'raw' | 'passage_characters' | 'front_matter'>;

/** Where to poll for running work, in the requested form. */
export const pollUrl = (
  requestId: string,
  { format, words, raw, passages, passage_characters: characters, front_matter }: TranscriptForm,
): string => {
  const form = new URLSearchParams({
    request_id: requestId,
    ...(format !== undefined && { format }),
    ...(words && { words: '1' }),
    ...(raw && { raw: '1' }),
    ...(passages && { passages: 'true' }),
    ...(characters !== undefined && { passage_characters: String(characters) }),
    ...(front_matter && { front_matter: 'true' }),
  });
  return `/v1/transcript?${form}`;
};

const deliveryAnswers = createAnswers(routes.getTranscript, 200);
const pendingAnswers = createAnswers(routes.getTranscript, 202);

export type GetTranscript = typeof routes.getTranscript;

const POLL_AFTER_SECONDS = 2;

const languageTag = /^[A-Za-z0-9-]+$/;

/** Headers of a file, which cannot carry the `language` object of the JSON wrapper. */
export const languageHeaders = (language: LanguageDelivery) => ({
  // The platform's code is untrusted text; only language tags become headers.
  ...(languageTag.test(language.delivered) && { 'Content-Language': language.delivered }),
  'X-Transcript-Language-Requested': language.requested,
  'X-Transcript-Fallback': String(language.fallback),
  'X-Transcript-Translation': language.translation,
  'X-Transcript-Kind': language.kind,
});

export type AnswerCost = Pick<Answer, 'cache' | 'creditsCharged'>;

/** Hits and misses differ in headers only. */
export const deliveredAnswer = (
  entry: TranscriptEntry,
  raw: boolean,
  { cache, creditsCharged }: AnswerCost,
): AnswerTo<GetTranscript> => {
  if (!raw)
    return asCompressible(deliveryAnswers.composed(JSON_TYPE, entry.wrapped, { cache, creditsCharged }));
  const headers = { 'Content-Disposition': entry.disposition, ...languageHeaders(entry.head.language) };
  const contentType = contentTypes[entry.head.format];
  return asCompressible(deliveryAnswers.composed(contentType, entry.raw, { headers, cache, creditsCharged }));
};

const hits = {
  file: memoize((entry: TranscriptEntry) => deliveredAnswer(entry, true, { cache: 'HIT' })),
  wrapped: memoize((entry: TranscriptEntry) => deliveredAnswer(entry, false, { cache: 'HIT' })),
};

/** The shared answer of cached reads of a transcript. */
export const hitAnswer = (entry: TranscriptEntry, raw: boolean): AnswerTo<GetTranscript> =>
  raw ? hits.file(entry) : hits.wrapped(entry);

export const pendingAnswer = (requestId: string, form: TranscriptForm): AnswerTo<GetTranscript> =>
  pendingAnswers.json(
    { status: 'pending', request_id: requestId, poll_url: pollUrl(requestId, form) },
    { cache: 'MISS', headers: { 'Retry-After': String(POLL_AFTER_SECONDS) } },
  );
