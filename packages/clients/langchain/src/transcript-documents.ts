import { Document } from '@langchain/core/documents';
import type { ApiError, JobManifest, JobVideo, Passage, Transcript } from '@transcript-delivery/sdk';

/** Facts that the platform does not say are left out, because many vector stores take no null. */
export type TranscriptMetadata = {
  /** The video, from the second on at which the document begins. */
  readonly source: string;
  readonly video_id: string;
  readonly title?: string;
  readonly channel?: string;
  /** UTC day, such as 2026-01-15. */
  readonly published_at?: string;
  readonly language?: string;
  /** By machine: nobody has said these words. */
  readonly translated: boolean;
  /** Seconds. */
  readonly start: number;
  readonly end?: number;
};

/** A video of several that is not among the documents, and why. */
export type LoadFailure = {
  /** As it was given; of a channel, playlist or list, the id of the video. */
  readonly video: string;
  /** A code of the service, such as `no_captions`. */
  readonly code: string;
  readonly message: string;
  /** Whether loading it again may succeed. */
  readonly retryable: boolean;
};

export type VideoFacts = {
  readonly video_id: string;
  readonly title: string | null;
  readonly channel: string | null;
  readonly published_at: string | null;
  readonly language: string | null;
  readonly translated: boolean;
  /** Seconds. */
  readonly duration: number | null;
};

/** What has a value. */
export const withoutEmpty = <Facts extends object>(facts: Facts) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Facts]?: NonNullable<Facts[Name]>;
  };

export const factsOfTranscript = ({ video, language }: Pick<Transcript, 'video' | 'language'>): VideoFacts => ({
  video_id: video.id,
  title: video.title,
  channel: video.channel_title,
  published_at: video.published_at,
  language: language.delivered,
  translated: language.translation === 'served',
  duration: video.duration,
});

/** Of a row of a manifest. */
export const factsOfRow = (row: JobManifest['rows'][number]): VideoFacts => ({
  video_id: row.video_id,
  title: row.title,
  channel: row.channel_title,
  published_at: row.published_date,
  language: row.delivered_language,
  translated: row.translation === 'served',
  duration: row.duration,
});

const createDocument = (
  { duration: _, ...facts }: VideoFacts,
  pageContent: string,
  place: { source: string; start: number; end: number | null },
): Document<TranscriptMetadata> =>
  new Document({ pageContent, metadata: withoutEmpty({ ...facts, ...place }) as TranscriptMetadata });

export const passageDocuments = (
  facts: VideoFacts,
  passages: readonly Passage[],
): Document<TranscriptMetadata>[] =>
  passages.map(({ text, url: source, start, end }) => createDocument(facts, text, { source, start, end }));

/** One document of the whole transcript. */
export const wholeDocument = (facts: VideoFacts, text: string): Document<TranscriptMetadata> => {
  const source = `https://www.youtube.com/watch?v=${facts.video_id}`;
  return createDocument(facts, text.trim(), { source, start: 0, end: facts.duration });
};

export const toFailure = (video: string, { code, message, retryable }: ApiError): LoadFailure => ({
  video,
  code,
  message,
  retryable,
});

/** Of a row of a job that was not delivered; a cancelled one has no error. */
export const failureOfRow = ({ video_id, status, error_code, message, retryable }: JobVideo): LoadFailure => ({
  video: video_id,
  code: error_code ?? status,
  message: message ?? `The video is ${status}.`,
  retryable: retryable ?? false,
});
