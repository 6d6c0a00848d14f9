/** Seldom: each beat wakes a process that may have nothing else to do. */
const BEATS_PER_LIMIT = 2;

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
  const beatMs = limitMs / BEATS_PER_LIMIT;
  let lastBeat = performance.now();
  let last = { stalledMs: 0, untilMs: 0 };
  const look = (now: number): void => {
    const stalledMs = now - lastBeat - beatMs;
    if (stalledMs > limitMs) last = { stalledMs, untilMs: now + limitMs };
    else if (now > last.untilMs) last = { stalledMs: 0, untilMs: 0 };
  };
  const timer = setInterval(() => {
    const now = performance.now();
    look(now);
    lastBeat = now;
  }, beatMs);
  timer.unref();
  return {
    stalledMs: () => {
      look(performance.now());
      return Math.round(last.stalledMs);
    },
    stop: () => clearInterval(timer),
  };
};
