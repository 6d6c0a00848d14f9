import type { LibraryPassage } from '@transcript-delivery/sdk';

type Found = Pick<LibraryPassage, 'video_id' | 'language' | 'kind' | 'translated' | 'match'>;

/** What a search found by its transcripts, the one with the best passage first, and in each as it is said. */
export const byTranscript = <Passage extends Found>(passages: readonly Passage[]) =>
  [
    ...Map.groupBy(passages, ({ video_id, language, kind, translated }) =>
      [video_id, language, kind, translated].join(' '),
    ),
  ].map(([key, found]) => ({
    key,
    passages: found.toSorted((one, other) => one.match.start - other.match.start),
  }));
