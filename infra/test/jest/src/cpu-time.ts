/** The CPU time of this thread so far, in milliseconds. */
const threadMs = (): number => {
  // Linux counts a thread's time in ticks of some milliseconds, until it is asked for the time of the process.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** `runs`: how often at most. `enoughMs`: stop at a run that takes no more. */
type Options = { readonly runs?: number; readonly enoughMs?: number };

/**
 * The CPU time that this thread spends on work, in milliseconds, in the fastest of several runs. The time of the whole process would
 * count the threads that compress, collect garbage and compile beside it.
 */
export const leastCpuMs = async (
  work: () => unknown,
  { runs = 3, enoughMs = 0 }: Options = {},
): Promise<number> => {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && leastMs > enoughMs; run += 1) {
    const start = threadMs();
    await work();
    leastMs = Math.min(leastMs, threadMs() - start);
  }
  return leastMs;
};
