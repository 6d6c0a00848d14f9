import { sleep } from '@tds/e2e-support';
import { loadVideoId } from '@tds/platform-simulator';
import type { Harness } from '../harness.ts';
import type { Customer } from './customers.ts';
import { makeCall } from './http-call.ts';
import { by } from './transcript-calls.ts';

export const LONG_JOB_ROWS = 200;
const EVERY_MS = 3_000;
const CREDITS = 100_000;
/** Beyond the videos of all other calls. */
const FIRST_VIDEO = 6_000_000;
const VIDEOS_PER_SEED = 7_000;
const SEEDS_APART = 400;

const TRUST = `
  UPDATE accounts SET created_at = created_at - interval '30 days', tier = 'paid', tier_changed_at = now() WHERE id = $1`;
const PAY = `SELECT outcome FROM grant_credits($1, 'long jobs', $2, 'gift', NULL)`;

/** Somebody with many credits, of whom no other call is made that costs any. */
const rich = async ({ customers, evidence }: Harness): Promise<Customer> => {
  const customer = await customers.signUp();
  if (!customer) throw new Error('the owner of long jobs could not sign up');
  customer.spent = CREDITS;
  await evidence.rows('identity', TRUST, [customer.accountId]);
  await evidence.rows('credits-ledger', PAY, [customer.accountId, CREDITS]);
  return customer;
};

/** Jobs of many rows that are under way all the time, as many as one account may have: everybody else's turn comes beside them. */
export const keepLongJobs = async (
  harness: Harness,
  seed: number,
  isOver: () => boolean,
): Promise<{ end(): Promise<void> }> => {
  const { history, system } = harness;
  const customer = await rich(harness);
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
  const run = async (): Promise<void> => {
    while (!isOver()) {
      await begin();
      for (let waited = 0; waited < EVERY_MS && !isOver(); waited += 100) await sleep(100);
    }
  };
  const running = run();
  return { end: () => running };
};
