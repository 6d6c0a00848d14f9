const BEAT_MS = 100;

export type EventLoopWatch = {
  /** The last stall that has not been forgotten; 0 while the loop turns. */
  stalledMs(): number;
  stop(): void;
};

/**
 * Notices when the event loop stands still. A stall longer than `limitMs` is remembered for as long again, because
 * a probe can only be answered once the loop turns: without memory nobody would ever see it.
 */
export const watchEventLoop = (limitMs: number): EventLoopWatch => {
  let lastBeat = performance.now();
  let last = { stalledMs: 0, untilMs: 0 };
  const look = (now: number): void => {
    const stalledMs = now - lastBeat - BEAT_MS;
    if (stalledMs > limitMs) last = { stalledMs, untilMs: now + limitMs };
    else if (now > last.untilMs) last = { stalledMs: 0, untilMs: 0 };
  };
  const timer = setInterval(() => {
    const now = performance.now();
    look(now);
    lastBeat = now;
  }, BEAT_MS);
  timer.unref();
  return {
    stalledMs: () => {
      look(performance.now());
      return Math.round(last.stalledMs);
    },
    stop: () => clearInterval(timer),
  };
};
