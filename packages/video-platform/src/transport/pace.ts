const MINUTE_MS = 60_000;
/** Requests of this time may come at once, for a player and its captions follow each other closely. */
const BURST_MS = 10_000;

/** How fast one address may ask: requests a minute, spread out (generic cell rate algorithm); infinity sets no pace. */
export const createPace = (requestsPerMinute: number, clock = () => performance.now()) => {
  const intervalMs = MINUTE_MS / requestsPerMinute;
  const burstMs = Math.max(BURST_MS - intervalMs, 0);
  let dueAt = 0;
  const waitMs = (): number => Math.max(0, dueAt - burstMs - clock());
  return {
    /** Milliseconds until its next request may be sent. */
    waitMs,
    /** The same, and takes that request's turn. */
    reserve(): number {
      const wait = waitMs();
      dueAt = Math.max(dueAt, clock()) + intervalMs;
      return wait;
    },
  };
};
export type Pace = ReturnType<typeof createPace>;
