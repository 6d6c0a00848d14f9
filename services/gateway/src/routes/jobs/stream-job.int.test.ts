import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, identity, type JobSummary } from '@tds/contracts';
import { jobProgress } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import { MAX_STREAMS } from '../../streams/job-streams.ts';
import { newJob } from '../../test-support/jobs.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let bearer: { authorization: string };
beforeAll(async () => {
  harness = await startTestGateway({ environment: { STREAM_LIFE: '600s' } });
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  bearer = (await harness.addAccount({ tier: 'paid' })).bearer;
  looks = 0;
});

let looks = 0;
/** A job under way, as bulk-orchestrator tells of it; tests move it on. */
const haveJob = (fields: Partial<JobSummary> = { status: 'running' }) => {
  const current = { job: newJob(fields), version: 1 };
  harness.jobs.commands.getJobSummary = async () => {
    looks += 1;
    return { job: current.job, version: current.version };
  };
  const { id } = current.job;
  return {
    path: `/v1/jobs/${id}/events`,
    id,
    endRows: () => {
      const counts = { ...current.job.counts, processing: 0 };
      current.job = { ...current.job, counts };
    },
    moveOn: (status: JobSummary['status'], charged: number) => {
      current.version += 1;
      current.job = { ...current.job, status, credits: { reserved: 0, charged } };
      return harness.broadcast(bulkOrchestrator.jobProgressed, {
        jobId: id,
        version: current.version,
        hasEnded: status !== 'running',
      });
    },
  };
};

type Reader = {
  readonly response: IncomingMessage;
  readonly text: () => string;
  /** Data of the events so far. */
  readonly events: () => { status: string; credits: { charged: number } }[];
  readonly ended: Promise<void>;
};

const open = (path: string, headers: Record<string, string> = bearer, url = harness.url): Promise<Reader> =>
  new Promise((resolve, reject) => {
    httpGet(`${url}${path}`, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      // Cut off by the other side is over, too.
      response.on('error', () => undefined);
      const ended = new Promise<void>((end) => response.once('close', end));
      const data = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''));
      resolve({ response, text: () => text, events: data, ended });
    }).on('error', reject);
  });
const chargedIn = (reader: Reader) => reader.events().map(({ credits }) => credits.charged);

describe('a progress stream', () => {
  it('passes proxies at once: unbuffered, not stored and not transformed', async () => {
    const job = haveJob();
    const { response } = await open(job.path);
    expect(response.headers).toMatchObject({
      'x-accel-buffering': 'no',
      'cache-control': 'no-store, no-transform',
    });
    response.destroy();
  });

  it('ends as soon as its key is revoked, and only then', async () => {
    const job = haveJob();
    const [gone, other] = [
      await harness.addAccount({ tier: 'paid' }),
      await harness.addAccount({ tier: 'paid' }),
    ];
    const [reader, bystander] = [await open(job.path, gone.bearer), await open(job.path, other.bearer)];
    const { accountId, keyId } = gone.principal;
    const revoked = { accountId, keyId: String(keyId), keyDigest: gone.digest, atOnce: true };
    await harness.broadcast(identity.keyRevoked, revoked);
    await reader.ended;
    await job.moveOn('running', 7);
    await eventually(() => expect(chargedIn(bystander)).toContain(7));
    expect(chargedIn(reader)).not.toContain(7);
    bystander.response.destroy();
  });

  it('of a cancelled job ends with its last row', async () => {
    const job = haveJob({ status: 'cancelled', counts: { ...newJob({}).counts, processing: 2 } });
    const reader = await open(job.path);
    await job.moveOn('cancelled', 1);
    await eventually(() => expect(chargedIn(reader)).toContain(1));
    expect(reader.response.complete).toBe(false);
    job.endRows();
    await job.moveOn('cancelled', 2);
    await reader.ended;
    expect(chargedIn(reader).at(-1)).toBe(2);
  });

  it('begins with the current state, continues with each change, and ends with the job', async () => {
    const job = haveJob();
    const reader = await open(job.path);
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
    });
    await eventually(() => expect(chargedIn(reader)).toEqual([1]));
    expect(reader.text()).toMatch(/^retry: 10000\nid: 1\nevent: job\ndata: \{/);
    await job.moveOn('running', 7);
    await eventually(() => expect(chargedIn(reader)).toEqual([1, 7]));
    await job.moveOn('completed', 9);
    await reader.ended;
    expect(chargedIn(reader)).toEqual([1, 7, 9]);
    for (const event of reader.events()) expect(jobProgress.strict().parse(event)).toEqual(event);
  });

  it('reads the job once for many changes and readers', async () => {
    const job = haveJob();
    const readers = await Promise.all([open(job.path), open(job.path), open(job.path)]);
    await eventually(() => expect(looks).toBeGreaterThanOrEqual(4));
    for (let charged = 2; charged <= 40; charged++) await job.moveOn('running', charged);
    await eventually(() => {
      for (const reader of readers) expect(chargedIn(reader).at(-1)).toBe(40);
    });
    expect(looks).toBeLessThan(39);
    for (const { response } of readers) response.destroy();
  });

  it('has a change whose hint was lost', async () => {
    const job = haveJob();
    const reader = await open(job.path);
    const { broadcast } = harness;
    harness.broadcast = async () => undefined;
    await job.moveOn('cancelled', 3);
    harness.broadcast = broadcast;
    await reader.ended;
    expect(reader.events().at(-1)).toMatchObject({ status: 'cancelled' });
  });

  it('of an ended job is one event, and none for a reader that has it', async () => {
    const job = haveJob({ status: 'completed' });
    const reader = await open(job.path);
    await reader.ended;
    expect(reader.events()).toHaveLength(1);
    const again = await open(job.path, { ...bearer, 'last-event-id': '1' });
    expect(again.response.statusCode).toBe(204);
    const late = await open(job.path, { ...bearer, 'last-event-id': '0' });
    expect(late.response.statusCode).toBe(200);
  });

  it('repeats nothing: neither events that a returning reader has, nor invisible changes', async () => {
    const job = haveJob();
    const reader = await open(job.path, { ...bearer, 'last-event-id': '1' });
    await eventually(() => expect(reader.text()).toMatch(/^retry: 10000\n\n/));
    await job.moveOn('running', 7);
    await eventually(() => expect(chargedIn(reader)).toEqual([7]));
    const looked = looks;
    await job.moveOn('running', 7);
    await eventually(() => expect(looks).toBeGreaterThan(looked));
    await job.moveOn('completed', 9);
    await reader.ended;
    expect(chargedIn(reader)).toEqual([7, 9]);
  });

  it('ends when the gateway stops', async () => {
    const other = await harness.addGateway();
    const job = haveJob();
    const reader = await open(job.path, bearer, other.url);
    await eventually(() => expect(reader.events()).toHaveLength(1));
    await other.stop();
    await reader.ended;
    expect(reader.response.complete).toBe(true);
  });

  it('ends after its life, whatever is left', async () => {
    const { path } = haveJob();
    const shortLived = await startTestGateway({ environment: { STREAM_LIFE: '100ms' } });
    const account = await shortLived.addAccount();
    shortLived.jobs.commands.getJobSummary = harness.jobs.commands.getJobSummary;
    const reader = await open(path, account.bearer, shortLived.url);
    await reader.ended;
    expect(reader.response.complete).toBe(true);
    await shortLived.stop();
  });
});

describe('streams', () => {
  it('have a limit per key; closed streams, noticed or not, return their places', async () => {
    const { path } = haveJob();
    const readers = await Promise.all(Array.from({ length: MAX_STREAMS }, () => open(path)));
    const refused = await open(path);
    await refused.ended;
    expect(refused.response.statusCode).toBe(429);
    expect(JSON.parse(refused.text())).toMatchObject({
      code: 'stream_cap',
      retryable: true,
      retry_after: 10,
    });
    const another = await harness.addAccount();
    const others = await open(path, another.bearer);
    expect(others.response.statusCode).toBe(200);
    for (const { response } of [...readers, others]) response.destroy();
    await eventually(async () => {
      const reader = await open(path);
      reader.response.destroy();
      expect(reader.response.statusCode).toBe(200);
    });
  });

  it('that were rejected use no place', async () => {
    for (let n = 0; n < 2 * MAX_STREAMS; n++) {
      const refused = await open('/v1/jobs/1/events');
      expect(refused.response.statusCode).toBe(400);
    }
    const reader = await open(haveJob().path);
    expect(reader.response.statusCode).toBe(200);
    reader.response.destroy();
  });
});
