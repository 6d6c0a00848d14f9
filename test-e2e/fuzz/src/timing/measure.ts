import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '#support';
import type { Timings } from './distinguishable.ts';
import type { LookAlikes } from './look-alikes.ts';

/** The first calls of a kind prepare statements and compile code. */
export const WARM_UP = 20;

type TimedAnswer = { readonly ms: number; readonly seen: string };

const MAX_ATTEMPTS = 10;
const UNAVAILABLE = 503;

/** A part of the service that is overloaded says so to everybody: it is asked again, and only the answer is compared. */
const timed = async (ask: () => Promise<Response>, attempt = 1): Promise<TimedAnswer> => {
  const from = performance.now();
  const answer = await ask();
  const text = await answer.text();
  const ms = performance.now() - from;
  if (answer.status === UNAVAILABLE && attempt < MAX_ATTEMPTS) {
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
    return timed(ask, attempt + 1);
  }
  // All that may differ between two answers is which request they answer.
  return { ms, seen: `${answer.status} ${text.replace(/"request_id":"[^"]*"/, '')}` };
};

/** One after the other, the seed deciding who comes first, so that whatever the machine does it does to both. Throws where answers differ. */
export const measure = async (
  { name, left, right }: LookAlikes,
  { count, random }: { count: number; random: Random },
): Promise<Timings> => {
  const timings = { name, left: [] as number[], right: [] as number[] };
  for (let turn = -WARM_UP; turn < count; turn += 1) {
    const order = random.shuffled(['left', 'right'] as const);
    const seen: string[] = [];
    for (const side of order) {
      const answer = await timed(side === 'left' ? left : right);
      seen.push(answer.seen);
      if (turn >= 0) timings[side].push(answer.ms);
    }
    if (seen[0] !== seen[1]) throw new Error(`${name}: ${seen.join(' and ')}`);
  }
  return timings;
};
