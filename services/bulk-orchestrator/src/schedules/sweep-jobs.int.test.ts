import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobs, type TestJobs } from '../test-support/start-jobs.ts';

const MINUTE_MS = 60_000;

describe('the sweep of jobs', () => {
  let jobs: TestJobs;
  let model: string;
  beforeAll(async () => {
    jobs = await startJobs();
    const { job } = await jobs.create();
    await jobs.reach(job.id, 'completed');
    model = job.id;
  });
  afterAll(() => jobs?.stop());

  const query = async (text: string, values: unknown[]) => (await jobs.kit().db.query(text, values)).rows;
  /** Copies of a job that has ended, in another state; `touchedAt` is what orders them. */
  const addJobs = (count: number, changes: object) =>
    query(
      `INSERT INTO jobs
       SELECT (jsonb_populate_record(jobs, $2::jsonb || jsonb_build_object('id', gen_random_uuid()))).*
       FROM jobs, generate_series(1, $3) WHERE id = $1`,
      [model, JSON.stringify({ closed_at: null, ...changes }), count],
    );

  it('takes up every one in a single run, however many there are', async () => {
    const touched_at = new Date(jobs.clock.now().getTime() - 60 * MINUTE_MS).toISOString();
    await addJobs(450, { status: 'cancelled', touched_at });
    await jobs.passTime(0);
    const untouched = `SELECT FROM jobs WHERE status = 'cancelled' AND touched_at = $1`;
    expect(await query(untouched, [touched_at])).toEqual([]);
    const open = 'SELECT FROM jobs WHERE status = $1 AND closed_at IS NULL';
    await jobs.eventually(async () => expect(await query(open, ['cancelled'])).toEqual([]));
  });

  it('comes to its end in every other respect where the ledger is away', async () => {
    const touched_at = new Date(jobs.clock.now().getTime() - 60 * MINUTE_MS).toISOString();
    const [status, pause_reason] = ['paused', 'insufficient_credits'];
    await addJobs(3, { status, pause_reason, resume_at: touched_at, touched_at });
    await addJobs(1, { status: 'creating', touched_at });
    jobs.ledger.fail('getBalance', 'service_unavailable');
    await expect(jobs.passTime(0)).rejects.toThrow('1 pages of a walk failed');
    jobs.ledger.fail('getBalance', null);
    expect(await query('SELECT FROM jobs WHERE status = $1', ['creating'])).toEqual([]);
  });
});
