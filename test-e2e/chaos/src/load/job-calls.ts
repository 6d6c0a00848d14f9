import { loadVideoId } from '@tds/platform-simulator';
import type { Customer } from './customers.ts';
import { makeCall, type Told } from './http-call.ts';
import { brokenIn } from './read-zip.ts';
import type { Scene } from './scene.ts';
import { by } from './transcript-calls.ts';

/** Of the videos that there are, behind those of every seed's cold reads. */
const FIRST_VIDEO = 9_000_000;
const VIDEOS_PER_SEED = 2_000;
const SEEDS_APART = 400;
const MOST_COLD = 4;
const AGAIN = 0.4;
const CANCELLED = 0.25;
const REBUILT = 0.5;

type Begun = { readonly customer: Customer; readonly key: string; readonly body: object; id?: string };

/** Jobs of a few videos, one of which is nobody's; many are asked for again with the same key, and some cancelled. */
export const createJobCalls = (scene: Scene) => {
  const { history, customers, random, seed, gateway } = scene;
  const begun: Begun[] = [];
  let video = FIRST_VIDEO + (Math.abs(seed) % SEEDS_APART) * VIDEOS_PER_SEED;

  const newJob = (): Begun | null => {
    const customer = customers.take(random, 'job');
    if (!customer) return null;
    const cold = random.between(1, MOST_COLD);
    // Whether it is begun, nobody may ever be told: so its credits are taken for spent.
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

  const job = async (): Promise<Told | null> => {
    const one = begun.length > 0 && random.next() < AGAIN ? random.pick(begun) : newJob();
    if (!one || one.customer.revoked) return null;
    const { headers, ...who } = by(one.customer);
    const told = await makeCall(history, {
      ...{ kind: 'job', url: `${gateway}/v1/jobs`, about: one.key, body: one.body, ...who },
      headers: { ...headers, 'idempotency-key': one.key },
      shown: (answer) => answer.job,
    });
    const id = (told.json?.job as { id?: string } | undefined)?.id;
    if (id !== undefined) one.id = id;
    await cancel(one);
    return told;
  };

  /** Half of them have it built anew; who asks too early is told that the job has not ended. */
  const archive = async (): Promise<Told | null> => {
    const ours = begun.filter(({ customer, id }) => id !== undefined && !customer.revoked);
    const one = ours.length > 0 ? random.pick(ours) : null;
    if (!one) return job();
    const query = random.next() < REBUILT ? '?rebuild=1' : '';
    const url = `${gateway}/v1/jobs/${one.id}/archive${query}`;
    const told = await makeCall(history, { kind: 'archive', url, about: one.key, ...by(one.customer) });
    if (told.headers.get('content-type') === 'application/zip' && told.body)
      history.add({ type: 'zip', about: one.key, broken: await brokenIn(told.body) });
    return told;
  };
  return { job, archive };
};
