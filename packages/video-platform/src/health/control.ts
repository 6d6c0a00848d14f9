import type { Attempt } from '../classification/attempt-result.ts';

/** Who asks, until when, and whether as what decides about a circuit, for which there is less time. */
export type Turn = {
  readonly callerId: string | null;
  readonly signal: AbortSignal;
  readonly isProbe: boolean;
};

export type Work<T> = (turn: Turn) => Promise<Attempt<T>>;

/** What a route served last is asked of it again where it fails with something else: by that the two are told apart. */
export const createControl = (timeoutMs: number) => {
  let served: Work<unknown> | null = null;
  let underWay: Promise<boolean> | null = null;
  const ask = async (work: Work<unknown>, callerId: string | null): Promise<boolean> => {
    const attempt = await work({ callerId, signal: AbortSignal.timeout(timeoutMs), isProbe: true });
    return attempt.kind === 'ok';
  };
  return {
    keep(work: Work<unknown>): void {
      served = work;
    },
    /** Whether the route still serves it. Those who ask meanwhile share the answer; false if it has served nothing yet. */
    async passes(callerId: string | null): Promise<boolean> {
      if (served === null) return false;
      underWay ??= ask(served, callerId).finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
};
