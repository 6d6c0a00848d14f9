import { MAX_MATCH_PASSAGES } from '@tds/contracts/passages';
import type { Answer, LibraryPassage, Match } from '@transcript-delivery/sdk';

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

type Page = Pick<Answer<'searchLibrary'>, 'total' | 'is_complete' | 'index'>;

/** How many passages a search found, and what is not among them yet. */
export const foundWords = ({ total, is_complete: isComplete, index }: Page): string => {
  const found =
    total === 0 ? 'No passage has all of these words' : `${total} ${total === 1 ? 'passage' : 'passages'}`;
  if (index && index.indexed < index.transcripts) {
    const progress = `${index.indexed} of ${index.transcripts} transcripts`;
    return index.is_growing
      ? `${found} so far. Making your library searchable: ${progress}.`
      : `${found}, in ${progress}. The others cannot be searched at the moment.`;
  }
  return isComplete
    ? `${found}.`
    : `${found}, among the newest transcripts with these words. Another word narrows it.`;
};

/** Of a monitor, or of a trial. */
type Matched = Omit<Match, 'id' | 'found_at' | 'monitor_id'> & Partial<Match>;

/** Each video once, where its newest match stood: its queries, and its sentences as they are said, each once. */
export const byVideo = <One extends Matched>(matches: readonly One[]) =>
  [
    ...Map.groupBy(matches, ({ monitor_id, video, language, translated }) =>
      [monitor_id, video.video_id, language, translated].join(' '),
    ),
  ].flatMap(([key, [first, ...others]]) => {
    if (!first) return [];
    const passages = [first, ...others].flatMap((match) => match.passages);
    const unique = [
      ...new Map(passages.toReversed().map((said) => [`${said.start} ${said.text}`, said])).values(),
    ];
    const queries = [first, ...others].map(({ query }) => query);
    /** A match has the first places of its query. */
    const isOpen = [first, ...others].some((match) => match.passages.length === MAX_MATCH_PASSAGES);
    return { key, first, queries, isOpen, passages: unique.toSorted((one, other) => one.start - other.start) };
  });
