import { loadVideoId } from '@tds/simulators/platform';
import type { Customer } from './customers.ts';
import { type CallAnswer, makeCall } from './http-call.ts';
import { brokenIn } from './read-zip.ts';
import type { Scene } from './scene.ts';
import { by } from './transcript-calls.ts';

/** Of the videos that there are, behind those of every seed's cold reads. */
const FIRST_VIDEO = 9_000_000;
const VIDEOS_PER_SEED = 2_000;
const SEEDS_APART = 400;
const MAX_COLD = 4;
const AGAIN = 0.4;
const CANCELLED = 0.25;
const REBUILT = 0.5;

type Begun = { readonly customer: Customer; readonly key: string; readonly body: object; id?: string };

/** Jobs of a few videos, one of which does not exist. Many are requested again with the same idempotency key, and some are cancelled. */
export const createJobCalls = (scene: Scene) => {
  const { history, customers, random, seed, gateway } = scene;
  const begun: Begun[] = [];
  let video = FIRST_VIDEO + (Math.abs(seed) % SEEDS_APART) * VIDEOS_PER_SEED;

  const newJob = (): Begun | null => {
    const customer = customers.take(random, 'job');
    if (!customer) return null;
    const cold = random.between(1, MAX_COLD);
    // Its answer may be lost, so its credits count as spent.
    customer.coldAsked += cold;
    customer.spent += cold;
    const ids = Array.from({ length: cold }, () => loadVideoId(++video));
    const job: Begun = {
      customer,
      key: `job ${seed} ${video}`,
      body: { video_ids: [...ids, 'private_001'] },
    };
    begun.push(job);
    return job;
  };

  const cancel = async ({ customer, key, id }: Begun): Promise<void> => {
    if (id === undefined || random.next() >= CANCELLED) return;
    const url = `${gateway}/v1/jobs/${id}/cancel`;
    await makeCall(history, { kind: 'cancelJob', url, about: key, body: {}, ...by(customer) });
  };

  const job = async (): Promise<CallAnswer | null> => {
    const one = begun.length > 0 && random.next() < AGAIN ? random.pick(begun) : newJob();
    if (!one || one.customer.revoked) return null;
    const { headers, ...who } = by(one.customer);
    const answer = await makeCall(history, {
      ...{ kind: 'job', url: `${gateway}/v1/jobs`, about: one.key, body: one.body, ...who },
      headers: { ...headers, 'idempotency-key': one.key },
      shown: (answer) => answer.job,
    });
    const id = (answer.json?.job as { id?: string } | undefined)?.id;
    if (id !== undefined) one.id = id;
    await cancel(one);
    return answer;
  };

  /** Half of the calls rebuild the archive. A call that comes too early is answered that the job has not ended. */
  const archive = async (): Promise<CallAnswer | null> => {
    const ours = begun.filter(({ customer, id }) => id !== undefined && !customer.revoked);
    const one = ours.length > 0 ? random.pick(ours) : null;
    if (!one) return job();
    const query = random.next() < REBUILT ? '?rebuild=1' : '';
    const url = `${gateway}/v1/jobs/${one.id}/archive${query}`;
    const answer = await makeCall(history, { kind: 'archive', url, about: one.key, ...by(one.customer) });
    if (answer.headers.get('content-type') === 'application/zip' && answer.body)
      history.add({ type: 'zip', about: one.key, broken: await brokenIn(answer.body) });
    return answer;
  };
  return { job, archive };
};
