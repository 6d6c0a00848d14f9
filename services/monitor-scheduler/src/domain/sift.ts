/** As many videos as a feed shows at most. */
export const FEED_SIZE = 15;

/** There may be more behind these. */
export const isFull = (entries: readonly unknown[]): boolean => entries.length >= FEED_SIZE;

type Shown = { readonly id: string };

export type Sifted<Entry> = {
  /** Never seen before, and new. */
  readonly fresh: readonly Entry[];
  /** Never seen before, and old: it has moved up because others went away. */
  readonly movedUp: readonly Entry[];
  /** Nothing of what is known is in it: more may have come than it shows. */
  readonly hasGap: boolean;
};

/** What is new in a feed. Where not all of its source is known, what stands behind all that is has moved up. */
export const siftFeed = <Entry extends Shown>(
  entries: readonly Entry[],
  known: ReadonlySet<string>,
  knowsList: boolean,
): Sifted<Entry> => {
  const lastKnown = entries.findLastIndex(({ id }) => known.has(id));
  const hasGap = lastKnown < 0 && isFull(entries);
  const unseen = entries.flatMap((entry, index) => (known.has(entry.id) ? [] : [{ entry, index }]));
  const isNew = ({ index }: { index: number }) => lastKnown < 0 || knowsList || index < lastKnown;
  return {
    fresh: unseen.filter(isNew).map(({ entry }) => entry),
    movedUp: unseen.filter((each) => !isNew(each)).map(({ entry }) => entry),
    hasGap,
  };
};

/** Each once, as it stands first. */
export const together = <Entry extends Shown>(
  first: readonly Entry[],
  second: readonly Entry[],
): readonly Entry[] => {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id) && ids.add(id))];
};

/** What is new in a playlist of which all is known, newest first: above the others the topmost, below them the last. */
export const newInPlaylist = <Entry extends Shown>(
  shown: readonly Entry[],
  known: ReadonlySet<string>,
): readonly Entry[] => {
  const firstKnown = shown.findIndex(({ id }) => known.has(id));
  const top = firstKnown < 0 ? shown.length : firstKnown;
  const below = shown.slice(top).filter(({ id }) => !known.has(id));
  return [...shown.slice(0, top), ...below.toReversed()];
};
