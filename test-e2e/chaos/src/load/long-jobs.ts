import { loadVideoId } from '@tds/simulators/platform';
import type { Harness } from '../harness.ts';
import { makeCall } from './http-call.ts';
import { keepDoing } from './keep-doing.ts';
import { signUpRich } from './rich-customer.ts';
import { by } from './transcript-calls.ts';

export const LONG_JOB_ROWS = 200;
const EVERY_MS = 3_000;
/** Beyond the videos of all other calls. */
const FIRST_VIDEO = 6_000_000;
const VIDEOS_PER_SEED = 7_000;
const SEEDS_APART = 400;

/** Jobs of many rows that are under way all the time, as many as one account may have: everybody else's turn comes beside them. */
export const keepLongJobs = async (
  harness: Harness,
  seed: number,
  isOver: () => boolean,
): Promise<{ end(): Promise<void> }> => {
  const { history, system } = harness;
  const customer = await signUpRich(harness);
  const { headers, ...who } = by(customer);
  let video = FIRST_VIDEO + (Math.abs(seed) % SEEDS_APART) * VIDEOS_PER_SEED;
  const begin = async (): Promise<void> => {
    const key = `long job ${seed} ${video}`;
    const body = { video_ids: Array.from({ length: LONG_JOB_ROWS }, () => loadVideoId(++video)) };
    await makeCall(history, {
      ...{ kind: 'job', url: `${system.gateway}/v1/jobs`, about: key, body, ...who },
      headers: { ...headers, 'idempotency-key': key },
      shown: (answer) => answer.job,
    });
  };
  const running = keepDoing(begin, EVERY_MS, isOver);
  return { end: () => running };
};
