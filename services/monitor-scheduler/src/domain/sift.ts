/** As many videos as a feed shows at most. */
export const FEED_SIZE = 15;

type Shown = { readonly id: string };

export type Sifted<Entry> = {
  /** Never seen before, and new. */
  readonly fresh: readonly Entry[];
  /** Never seen before, and old: it has moved up because others went away. */
  readonly movedUp: readonly Entry[];
  /** Nothing of what is known is in it: more may have come than it shows. */
  readonly hasGap: boolean;
};

/**
 * What is new in a feed. `wasFull`: the one before held as many as a feed does, so there is more behind it; then what stands
 * behind all that is known has moved up.
 */
export const siftFeed = <Entry extends Shown>(
  entries: readonly Entry[],
  known: ReadonlySet<string>,
  wasFull: boolean,
): Sifted<Entry> => {
  const lastKnown = entries.findLastIndex(({ id }) => known.has(id));
  const hasGap = lastKnown < 0 && entries.length >= FEED_SIZE;
  const unseen = entries.flatMap((entry, index) => (known.has(entry.id) ? [] : [{ entry, index }]));
  const isNew = ({ index }: { index: number }) => lastKnown < 0 || !wasFull || index < lastKnown;
  return {
    fresh: unseen.filter(isNew).map(({ entry }) => entry),
    movedUp: unseen.filter((each) => !isNew(each)).map(({ entry }) => entry),
    hasGap,
  };
};
