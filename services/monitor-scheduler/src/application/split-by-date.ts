import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { Entry } from '../store/videos.ts';

/** Of some videos the platform says no date; then a neighbour is asked. */
const MOST_NEIGHBOURS = 3;

type Split = { readonly fresh: readonly Entry[]; readonly old: readonly Entry[] };

export const isOlder = ({ publishedAt }: Pick<Entry, 'publishedAt'>, newest: Date | null): boolean =>
  newest !== null && publishedAt !== null && new Date(publishedAt) <= newest;

/** Players tell the day: what is of the last known day may be new, and is told rather than lost. */
const isOfOlderDay = ({ publishedAt }: Pick<Entry, 'publishedAt'>, newest: Date | null): boolean =>
  newest !== null && publishedAt !== null && publishedAt.slice(0, 10) < newest.toISOString().slice(0, 10);

/**
 * What is younger than all that was known, of a list that is sorted by date, newest first. Its rows have no dates, so the place where the
 * old begins is searched by halves: some fifteen videos are asked for, however long it is. Throws what asking throws.
 */
export const splitByDate = async (
  { platform }: Pick<Deps, 'platform'>,
  found: readonly Entry[],
  newest: Date | null,
  call: Call,
): Promise<Split> => {
  /** Null where nobody says. */
  const isOldAt = async (from: number, to: number): Promise<boolean | null> => {
    for (const entry of found.slice(from, Math.min(to, from + MOST_NEIGHBOURS))) {
      if (entry.publishedAt !== null) return isOlder(entry, newest);
      const told = await platform.lookUpVideo(entry.id, call);
      if (told?.publishedAt) return isOfOlderDay(told, newest);
    }
    return null;
  };
  let [from, to] = newest === null ? [found.length, found.length] : [0, found.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // What nobody dates is not told: it might be the whole past.
    if ((await isOldAt(middle, to)) === false) from = middle + 1;
    else to = middle;
  }
  return { fresh: found.slice(0, from), old: found.slice(from) };
};
