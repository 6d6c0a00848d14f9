import type { LanguageDelivery } from '@tds/contracts';
import { contentTypes } from '@tds/transcript-format';
import type { TranscriptEntry } from '../cache/transcript-entry.ts';
import { type Answer, JSON_TYPE, jsonAnswer } from '../http/answer.ts';
import { compressible } from '../http/compression.ts';
import { oncePer } from '../once-per.ts';
import { pollUrl, type TranscriptQuery } from './transcript-mode.ts';

const OK = 200;
const ACCEPTED = 202;
const POLL_AFTER_SECONDS = 2;

const languageTag = /^[A-Za-z0-9-]+$/;

/** A file does not say what was asked for and what it is instead, so its headers do: as `language` of the JSON wrapper. */
const languageHeaders = (language: LanguageDelivery): string[] => [
  // The platform's own code is a stranger's text; what is no tag is told nowhere in a header.
  ...(languageTag.test(language.delivered) ? ['Content-Language', language.delivered] : []),
  ...['X-Transcript-Language-Requested', language.requested],
  ...['X-Transcript-Fallback', String(language.fallback)],
  ...['X-Transcript-Translation', language.translation],
  ...['X-Transcript-Kind', language.kind],
];

/** The bytes are the same however the transcript came; only headers tell a hit from a miss. */
export const deliveredAnswer = (
  entry: TranscriptEntry,
  raw: boolean,
  { cache, creditsCharged }: Pick<Answer, 'cache' | 'creditsCharged'>,
): Answer => {
  const told = { status: OK, ...(cache && { cache }), ...(creditsCharged && { creditsCharged }) };
  return compressible(
    raw
      ? {
          ...told,
          contentType: contentTypes[entry.head.format],
          body: entry.raw,
          headers: ['Content-Disposition', entry.disposition, ...languageHeaders(entry.head.language)],
        }
      : { ...told, contentType: JSON_TYPE, body: entry.wrapped },
  );
};

const hits = {
  file: oncePer((entry: TranscriptEntry) => deliveredAnswer(entry, true, { cache: 'HIT' })),
  wrapped: oncePer((entry: TranscriptEntry) => deliveredAnswer(entry, false, { cache: 'HIT' })),
};

/** The answer of every cached read of this transcript. */
export const hitAnswer = (entry: TranscriptEntry, raw: boolean): Answer =>
  raw ? hits.file(entry) : hits.wrapped(entry);

export const pendingAnswer = (requestId: string, asked: Pick<TranscriptQuery, 'format' | 'raw'>): Answer =>
  jsonAnswer(
    ACCEPTED,
    { ok: true, status: 'pending', request_id: requestId, poll_url: pollUrl(requestId, asked) },
    { cache: 'MISS', headers: ['Retry-After', String(POLL_AFTER_SECONDS)] },
  );
