const ANSWER_WITHIN_MS = 2_000;

/** What is only known when somebody asks for it, and costs nothing while nobody does. */
type Collector = {
  /** Empty after a failure, so that nobody takes an old value for a new one. */
  readonly sets: readonly { reset(): void }[];
  readonly collect: () => Promise<void> | void;
};

const inTime = async (work: Promise<void>, withinMs: number): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Each collector runs once at a time, however many scrape; one that fails or hangs keeps nobody from the others. */
export const createCollectors = (withinMs = ANSWER_WITHIN_MS) => {
  const runs: (() => Promise<void>)[] = [];
  return {
    add: ({ sets, collect }: Collector): void => {
      let running: Promise<void> | undefined;
      runs.push(async () => {
        running ??= Promise.try(collect).finally(() => {
          running = undefined;
        });
        // What is missing is missed by an alert; that a server is away is reported by whoever needs it.
        await inTime(running, withinMs).catch(() => {
          for (const gauge of sets) gauge.reset();
        });
      });
    },
    run: async (): Promise<void> => void (await Promise.all(runs.map((run) => run()))),
  };
};
