import { type RequestOf, transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';

/** A fetcher that knows words of letters only, and keeps what it is asked to match. */
export const fakeWords = () => {
  const matched: RequestOf<typeof transcriptFetcher.matchWords>[] = [];
  const state = { isAway: false };
  const fake = createFake(transcriptFetcher, {
    checkWords: async ({ words }) => {
      if (words.some((query) => !/\p{L}/u.test(query))) throw serviceError('invalid_words');
      return {};
    },
    matchWords: async (request) => {
      if (state.isAway) throw serviceError('service_unavailable');
      matched.push(request);
      return {};
    },
  });
  return {
    fake,
    matched,
    fetcherIsAway: (isAway: boolean) => {
      state.isAway = isAway;
    },
    /** A transcript of these monitors waits for their words. */
    emitIndexed: (transcriptId: string, monitorIds: string[]) =>
      fake.emit(transcriptFetcher.watchedTranscriptIndexed, { transcriptId, monitorIds }),
  };
};
