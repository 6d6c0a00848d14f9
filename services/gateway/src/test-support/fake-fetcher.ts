import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';
import { newTranscript } from './builders.ts';

const refuseLink = async () => {
  throw serviceError('link_not_found');
};

/** A fetcher that knows no video, and accounts that have received nothing. */
export const createFakeFetcher = () =>
  createFake(transcriptFetcher, {
    getTranscript: async () => {
      throw serviceError('no_captions');
    },
    pollRequest: async () => {
      throw serviceError('request_not_found');
    },
    waiveRequest: async () => ({}),
    waivePoll: async () => ({}),
    getVideoFacts: async ({ videoId }) => ({
      video: {
        ...newTranscript('').video,
        id: videoId,
        status: 'unknown' as const,
        error_class: null,
        fetched_at: null,
      },
      cached_languages: [],
      caption_tracks: [],
      original_language: null,
      selected: null,
    }),
    listLanguages: async ({ videoId }) => ({
      ...{ video_id: videoId, original_language: null, tracks: [], translatable: false },
      checked_at: '2026-01-15T12:00:00.000Z',
    }),
    listLibrary: async () => ({ transcripts: [], total: 0 }),
    searchLibrary: async () => ({ results: [], total: 0, is_complete: true }),
    tryWords: async () => ({ transcripts: 0, matches: [] }),
    listMatches: async () => ({ matches: [], total: 0 }),
    listAccountMatches: async () => ({ matches: [], total: 0 }),
    createLink: async () => {
      throw serviceError('transcript_not_received');
    },
    listLinks: async () => ({ links: [] }),
    ...{ getLink: refuseLink, endLink: refuseLink, openLink: refuseLink },
    renderTranscripts: async ({ transcripts }) => ({
      rows: transcripts.map(({ transcriptId }) => ({
        ...{ transcriptId, state: 'failed', code: 'cache_object_missing' },
      })),
    }),
  });
