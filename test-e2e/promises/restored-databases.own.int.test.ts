import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import type { Job } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { copyDatabase, eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  creditsCharged,
  fileVideo,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  // Ten minutes in production. Younger work, such as a read that is asked for again, may be at work.
  await system.restartServices(['search', 'transcript-fetcher'], { ORPHANED_AFTER: '10s' });
});
afterAll(() => system?.stop());
beforeEach(async () => {
  customer = await signUp(system);
});

const within = { everyMs: 250 };
const databaseOf = (service: string) => {
  const database = system.databases[service];
  if (!database) throw new Error(`there is no database of ${service}`);
  return database;
};
const query = <Row>(service: string, sql: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(databaseOf(service).adminUrl, async (client) => (await client.query(sql, values)).rows as Row[]);

/** What the fetcher observes, at any moment: where its database goes back, status has heard what it no longer knows of. */
const OBSERVED = 'transcript-fetcher published what status has applied';
const evidence = openEvidence((service) => databaseOf(service).adminUrl, { atRest: true });
/** Everything else that `npm run check-books` looks at, of a system at rest. */
const findings = async () => {
  const found = await auditBooks(evidence);
  return found.filter(({ what }) => what !== OBSERVED);
};
const booksAreRight = () => eventually(async () => expect(await findings()).toEqual([]), within);

const copyOf = async (service: string) => {
  const copy = await copyDatabase(databaseOf(service));
  await servesAgain();
  return copy;
};
/** Connections that were cut come back by themselves. */
const servesAgain = () =>
  eventually(async () => {
    for (const path of ['/v1/account', '/v1/video?video_id=manualEn001', '/v1/jobs'])
      expect((await customer.get(path)).status).toBe(200);
  }, within);
const reconcileSoon = (service = 'transcript-fetcher') =>
  waitingRows(system, service).makeDue('messaging.schedules', { where: "name LIKE 'reconcile-%'" });
const deliver = (index: number) =>
  eventually(async () => {
    const answer = await customer.get(`/v1/transcript?video_id=${fileVideo(index)}`);
    expect([answer.status, creditsCharged(answer)]).toEqual([200, 1]);
  }, within);
const beginJob = async (first: number, count: number): Promise<string> => {
  const video_ids = Array.from({ length: count }, (_, index) => fileVideo(first + index));
  const answer = await postJson(`${system.gateway}/v1/jobs`, { video_ids }, bearer(customer.key));
  expect(answer.status).toBe(202);
  return answer.json<{ job: Job }>().job.id;
};
const reachCompleted = (id: string): Promise<Job> =>
  eventually(
    async () => {
      const { job } = (await customer.get(`/v1/jobs/${id}`)).json<{ job: Job }>();
      expect(job.status).toBe('completed');
      return job;
    },
    { everyMs: 1_500 },
  );
const creditsOf = async () =>
  (await customer.get('/v1/account')).json<{
    credits: { free: number; purchased: number; reserved: number };
  }>().credits;

/** What is too young at one look is met by a later one. */
const reconciledTo = (credits: object, service?: string) =>
  eventually(
    async () => {
      await reconcileSoon(service);
      expect(await creditsOf()).toMatchObject(credits);
    },
    { everyMs: 1_500 },
  );

describe('the books are right in the end, if a database is put back to an earlier state', () => {
  it('of the fetcher, in the middle of a delivery: the forgotten credit is released', async () => {
    await deliver(8_001);
    await booksAreRight();
    const copy = await copyOf('transcript-fetcher');
    system.simulator.setLatency(20_000);
    const lost = customer.get(`/v1/transcript?video_id=${fileVideo(8_002)}`);
    await eventually(async () => expect(await creditsOf()).toMatchObject({ free: 98, reserved: 1 }), within);
    await copy.putBack();
    system.simulator.setLatency(0);
    await servesAgain();
    expect((await lost).status).not.toBe(200);
    await reconciledTo({ free: 99, reserved: 0 });
    await booksAreRight();
    await copy.drop();
  });

  it('of the fetcher, after a job: its videos are in the library again, for nothing, and the job stays as it is', async () => {
    await putJson(`${system.gateway}/v1/webhooks`, { url: system.receiver.hookUrl }, bearer(customer.key));
    const copy = await copyOf('transcript-fetcher');
    const id = await beginJob(8_041, 3);
    const { status, counts, credits, finished_at } = await reachCompleted(id);
    const inLibrary = async (path = '') =>
      (await customer.get(`/v1/library${path}`)).json<{ total: number }>().total;
    const eventsOf = () => system.receiver.received().filter(({ body }) => body.includes(id)).length;
    // A free account may ask sixty times a minute.
    const patiently = { ...within, everyMs: 1_500 };
    await eventually(async () => expect([await inLibrary(), eventsOf()]).toEqual([3, 1]), patiently);
    await copy.putBack();
    await servesAgain();
    await eventually(async () => {
      expect(await inLibrary(`?job_id=${id}`)).toBe(3);
      expect(await inLibrary('/search?q=the')).toBeGreaterThan(0);
    }, patiently);
    await booksAreRight();
    expect(await creditsOf()).toMatchObject({ free: 97, reserved: 0 });
    expect(await reachCompleted(id)).toMatchObject({ status, counts, credits, finished_at });
    expect(eventsOf()).toBe(1);
    await copy.drop();
  });

  it('of the ledger: what was delivered since is charged once more, and once', async () => {
    await deliver(8_011);
    await booksAreRight();
    const copy = await copyOf('credits-ledger');
    await deliver(8_012);
    await deliver(8_013);
    await booksAreRight();
    await copy.putBack();
    await servesAgain();
    expect((await creditsOf()).free).toBe(99);
    // What has just ended may be on its way to the ledger.
    await query('transcript-fetcher', `UPDATE operations SET ended_at = ended_at - interval '2 minutes'`);
    await reconciledTo({ free: 97, reserved: 0 });
    await reconcileSoon();
    await booksAreRight();
    expect((await creditsOf()).free).toBe(97);
    await copy.drop();
  });

  it('of bulk-orchestrator: jobs that are lost are paid back, and one that goes on is charged once', async () => {
    system.simulator.setLatency(5_000);
    const kept = await beginJob(8_021, 3);
    await eventually(
      async () => {
        const { job } = (await customer.get(`/v1/jobs/${kept}`)).json<{ job: Job }>();
        expect(job.counts.processing).toBe(3);
      },
      { everyMs: 1_500 },
    );
    const copy = await copyOf('bulk-orchestrator');
    system.simulator.setLatency(0);
    await reachCompleted(kept);
    const lost = await beginJob(8_031, 4);
    await reachCompleted(lost);
    expect(await creditsOf()).toMatchObject({ free: 93, purchased: 0, reserved: 0 });
    // A young line may be one whose job is being saved.
    await query('transcript-fetcher', `UPDATE batches SET created_at = created_at - interval '1 hour'`);
    await copy.putBack();
    await servesAgain();
    expect((await reachCompleted(kept)).credits).toEqual({ reserved: 0, charged: 3 });
    expect((await customer.get(`/v1/jobs/${lost}`)).status).toBe(404);
    await reconciledTo({ free: 93, purchased: 4, reserved: 0 }, 'bulk-orchestrator');
    // Published events of lost jobs cannot be withdrawn.
    const isTold = ({ what }: { what: string }) =>
      what === 'bulk-orchestrator published what webhook-dispatcher has applied';
    await eventually(
      async () => expect((await findings()).filter((each) => !isTold(each))).toEqual([]),
      within,
    );
    await copy.drop();
  });
});

it('keeps a deleted webhook deleted, if all databases are put back together', async () => {
  const hooks = `${system.gateway}/v1/webhooks`;
  const put = await putJson(hooks, { url: system.receiver.hookUrl }, bearer(customer.key));
  expect(put.status).toBe(200);
  const copies = [];
  for (const database of Object.values(system.databases)) copies.push(await copyDatabase(database));
  await servesAgain();
  await eventually(async () => {
    const deleted = await call(hooks, { method: 'DELETE', headers: bearer(customer.key) });
    expect([200, 404]).toContain(deleted.status);
    // What the broker has not heard of is lost with the database.
    expect(
      await query('webhook-dispatcher', 'SELECT FROM messaging.outbox WHERE published_at IS NULL'),
    ).toEqual([]);
  }, within);
  for (const copy of copies) await copy.putBack();
  await servesAgain();
  await eventually(async () => {
    const { webhook } = (await customer.get('/v1/webhooks')).json<{ webhook: object | null }>();
    expect(webhook).toBeNull();
  });
  for (const copy of copies) await copy.drop();
});
