/** Bytes that proxied egresses may read on a day (UTC). Shared by every process that pays the same proxies. */
export interface ByteBudget {
  /** What may still be read for this caller; null for nobody in particular. */
  remaining(callerId: string | null): Promise<number>;
  spend(bytes: number, callerId: string | null): Promise<void>;
}

const utcDay = (at: Date) => at.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Of all callers together. */
export const memoryByteBudget = (bytesPerDay: number, clock: () => Date = () => new Date()): ByteBudget => {
  let day = utcDay(clock());
  let spent = 0;
  const startNewDay = () => {
    const today = utcDay(clock());
    if (today === day) return;
    day = today;
    spent = 0;
  };
  return {
    async remaining() {
      startNewDay();
      return Math.max(0, bytesPerDay - spent);
    },
    async spend(bytes) {
      startNewDay();
      spent += bytes;
    },
  };
};

export const unlimitedBytes: ByteBudget = {
  remaining: async () => Number.POSITIVE_INFINITY,
  spend: async () => undefined,
};

const DAY_MS = 86_400_000;

/** Whole seconds until the budget refills at 00:00 UTC. */
export const secondsUntilRefill = (now: Date): number =>
  Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
