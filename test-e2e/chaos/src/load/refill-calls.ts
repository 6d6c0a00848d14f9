import { giantVideoId } from '@tds/simulators/platform';
import { type CallAnswer, makeCall } from './http-call.ts';
import type { Scene } from './scene.ts';
import { by } from './transcript-calls.ts';

/** No other call reads the videos of the giant channel but the long job of `faults/refilled-job.ts`, which takes the newest. */
const FIRST_VIDEO = 1_000;
const VIDEOS = 19_000;
/** Two of these jobs cost a block. */
const ROWS = 25;

/** Jobs that bring accounts below the threshold of their refill, again and again. One that they cannot pay for is refused. */
export const createRefillCalls = ({ history, seed, gateway, refilled }: Scene) => {
  let begun = 0;
  const refill = async (): Promise<CallAnswer | null> => {
    const customer = refilled[begun % refilled.length];
    if (!customer) return null;
    const { headers, ...who } = by(customer);
    const first = ROWS * begun;
    begun += 1;
    const key = `refilled job ${seed} ${begun}`;
    const ids = Array.from({ length: ROWS }, (_, at) => giantVideoId(FIRST_VIDEO + ((first + at) % VIDEOS)));
    return makeCall(history, {
      ...{ kind: 'job', url: `${gateway}/v1/jobs`, about: key, body: { video_ids: ids }, ...who },
      headers: { ...headers, 'idempotency-key': key },
      shown: (answer) => answer.job,
    });
  };
  return { refill };
};
