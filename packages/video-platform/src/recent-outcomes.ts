/** What ended in the last five minutes, and how much of it with a fault of the route. */
export type OutcomeCounts = { readonly ended: number; readonly faulted: number };

const BUCKET_MS = 30_000;
const BUCKETS = 10;

export const createRecentOutcomes = (clock: () => Date) => {
  let buckets: { readonly at: number; ended: number; faulted: number }[] = [];
  const toBucket = (now: Date) => Math.floor(now.getTime() / BUCKET_MS);
  const recent = () => {
    const newest = toBucket(clock());
    buckets = buckets.filter(({ at }) => at > newest - BUCKETS && at <= newest);
    return buckets;
  };
  return {
    add(isFault: boolean): void {
      const at = toBucket(clock());
      let bucket = recent().at(-1);
      if (bucket?.at !== at) {
        bucket = { at, ended: 0, faulted: 0 };
        buckets.push(bucket);
      }
      bucket.ended += 1;
      if (isFault) bucket.faulted += 1;
    },
    counts: (): OutcomeCounts =>
      recent().reduce<OutcomeCounts>(
        (sum, { ended, faulted }) => ({ ended: sum.ended + ended, faulted: sum.faulted + faulted }),
        { ended: 0, faulted: 0 },
      ),
  };
};
export type RecentOutcomes = ReturnType<typeof createRecentOutcomes>;
