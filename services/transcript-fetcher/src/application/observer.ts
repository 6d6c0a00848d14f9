import { randomUUID } from 'node:crypto';
import type { ColdCapacity } from '@tds/contracts';
import type { ObservedRoute } from '../domain/observed-routes.ts';

/** Who says nothing for longer is taken for silent by others. */
const SAY_AGAIN_MS = 60_000;

export type Observed = { readonly strategies: readonly ObservedRoute[]; readonly capacity: ColdCapacity };

/** What this instance has said last of strategies and capacity. */
export type Observer = {
  readonly instance: string;
  /** Whether others should hear it: it is something else, or they have heard nothing for a minute. */
  isNews(observed: Observed, now: Date): boolean;
  /** They have heard it. */
  said(observed: Observed, now: Date): void;
};

export const createObserver = (): Observer => {
  let last: { readonly text: string; readonly at: number } | null = null;
  return {
    instance: randomUUID(),
    isNews: (observed, now) =>
      last === null ||
      last.text !== JSON.stringify(observed) ||
      Math.abs(now.getTime() - last.at) >= SAY_AGAIN_MS,
    said: (observed, now) => {
      last = { text: JSON.stringify(observed), at: now.getTime() };
    },
  };
};
