import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { errorOfCall, fakeService, json, settle } from './test-support/fake-service.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const jobWith = (status: string) => json({ ok: true, job: { id: 'job-1', status } });
const event = (id: number, status: string) =>
  `id: ${id}\nevent: job\ndata: ${JSON.stringify({ id: 'job-1', status, counts: { total: id } })}\n\n`;
const encoder = new TextEncoder();

/** A stream of these pieces that ends, or breaks off. */
const stream =
  (pieces: readonly string[], end: 'ends' | 'breaks' = 'ends') =>
  () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(encoder.encode(piece));
          if (end === 'ends') controller.close();
          else queueMicrotask(() => controller.error(new TypeError('terminated')));
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );

describe('waiting for a job', () => {
  it('reports progress over as many streams as it takes, and reads the job at its end', async () => {
    const first = stream([
      'retry: 7000\n',
      event(1, 'running'),
      ': still here\n\n',
      event(2, 'run').slice(0, 20),
    ]);
    const { client, sent } = fakeService([
      jobWith('pending'),
      first,
      stream(['retry: 7000\n\n', event(3, 'completed')]),
      jobWith('completed'),
    ]);
    const seen: number[] = [];
    const job = await settle(client.jobs.get('job-1'));
    await settle(job.wait({ onProgress: ({ counts }) => seen.push(counts.total) }));
    expect([job.status, job.hasEnded, seen]).toEqual(['completed', true, [1, 3]]);
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, null, '1', null]);
    expect((sent[2]?.atMs ?? 0) - (sent[1]?.atMs ?? 0)).toBeGreaterThanOrEqual(7_000);
  });

  it('reads events whose bytes come in pieces, with letters cut in two', async () => {
    const bytes = encoder.encode(event(1, 'completed').replace('job-1', 'Grüße'));
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const body = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(piece);
            controller.close();
          },
        }),
      );
    const { client } = fakeService([jobWith('pending'), body, jobWith('completed')]);
    const ids: string[] = [];
    const job = await settle(client.jobs.get('job-1'));
    await settle(job.wait({ onProgress: ({ id }) => ids.push(id) }));
    expect(ids).toEqual(['Grüße']);
  });

  it('reads the streams of Node that other fetches answer with, and refuses a fetch without any', async () => {
    const answerWith = (body: unknown) => () => Object.defineProperty(new Response(), 'body', { value: body });
    const streamOfNode = () => Readable.from([encoder.encode(event(1, 'completed'))]);
    const { client } = fakeService([jobWith('running'), answerWith(streamOfNode()), jobWith('completed')]);
    const job = await settle(client.jobs.get('job-1'));
    expect((await settle(job.wait())).status).toBe('completed');
    const { client: other } = fakeService([jobWith('running'), answerWith(null)]);
    const error = await errorOfCall((await settle(other.jobs.get('job-1'))).wait());
    expect(error).toMatchObject({ message: expect.stringContaining('reads no streams') });
  });

  it('opens another stream if one breaks off', async () => {
    const { client, sent } = fakeService([
      jobWith('running'),
      stream([event(1, 'running')], 'breaks'),
      () => new Response(null, { status: 204 }),
      jobWith('failed'),
    ]);
    const job = await settle(client.jobs.get('job-1'));
    expect((await settle(job.wait())).status).toBe('failed');
    expect(sent).toHaveLength(4);
  });

  it('waits a second before it asks again, if a stream knows the end before the job does', async () => {
    const none = () => new Response(null, { status: 204 });
    const { client, sent } = fakeService([
      jobWith('running'),
      none,
      jobWith('running'),
      none,
      jobWith('failed'),
    ]);
    const job = await settle(client.jobs.get('job-1'));
    expect((await settle(job.wait())).status).toBe('failed');
    expect((sent[3]?.atMs ?? 0) - (sent[2]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('ends with signal', async () => {
    const given = new AbortController();
    const silent = ({ signal }: { signal: AbortSignal }) =>
      new Response(
        new ReadableStream({
          start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
        }),
      );
    const { client } = fakeService([jobWith('running'), silent]);
    const job = await settle(client.jobs.get('job-1'));
    setTimeout(() => given.abort(), 2_000);
    expect(await errorOfCall(job.wait({ signal: given.signal }))).toMatchObject({ name: 'AbortError' });
  });

  it('opens another stream if one is silent for longer than its heartbeat', async () => {
    const { client, sent } = fakeService(
      [
        jobWith('running'),
        () => new Response(new ReadableStream()),
        stream([event(2, 'cancelled')]),
        jobWith('cancelled'),
      ],
      { timeoutMs: 30_000 },
    );
    const job = await settle(client.jobs.get('job-1'));
    expect((await settle(job.wait())).status).toBe('cancelled');
    expect((sent[2]?.atMs ?? 0) - (sent[1]?.atMs ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  const paused = (resumes_at: string | null) =>
    json({ ok: true, job: { id: 'job-1', status: 'paused', pause_reason: 'account_age_ramp', resumes_at } });

  it('reports each pause once, with its end', async () => {
    const { client } = fakeService([
      jobWith('running'),
      stream([event(1, 'paused'), event(2, 'paused'), event(3, 'running'), event(4, 'paused')]),
      paused('2026-01-16T00:00:00.000Z'),
      paused(null),
      stream([event(5, 'completed')]),
      jobWith('completed'),
    ]);
    const pauses: unknown[] = [];
    const job = await settle(client.jobs.get('job-1'));
    await settle(
      job.wait({ onPause: ({ reason, resumesAt }) => pauses.push([reason, resumesAt?.toISOString()]) }),
    );
    expect(pauses).toEqual([
      ['account_age_ramp', '2026-01-16T00:00:00.000Z'],
      ['account_age_ramp', undefined],
    ]);
  });

  it('warns of a pause that the caller does not take', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const { client } = fakeService([
      jobWith('running'),
      stream([event(1, 'paused'), event(2, 'completed')]),
      paused('2026-01-16T00:00:00.000Z'),
      jobWith('completed'),
    ]);
    await settle((await settle(client.jobs.get('job-1'))).wait());
    expect(warn.mock.calls).toEqual([[expect.stringContaining('until 2026-01-16T00:00:00.000Z')]]);
    warn.mockRestore();
  });

  it('ends after timeout, and the job goes on', async () => {
    const { client, sent } = fakeService([
      jobWith('running'),
      () => new Response(null, { status: 204 }),
      jobWith('running'),
    ]);
    const job = await settle(client.jobs.get('job-1'));
    const error = await errorOfCall(job.wait({ timeout: 5_000 }));
    expect(error).toMatchObject({ name: 'WaitTimeoutError', retryable: false });
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
    expect(job.status).toBe('running');
  });
});
