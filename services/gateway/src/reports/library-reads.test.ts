import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type CachedRead, HOUR_MS, MAX_RECORDED_READS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { newTranscript } from '../test-support/builders.ts';
import { type Batch, createFlusher } from './flusher.ts';
import { createReadReport } from './library-reads.ts';

const transcriptOf = (id: string) => {
  const { video, ...head } = newTranscript('');
  return { head: { ...head, video: { ...video, id } } };
};

/** A report whose sends fail while `error` is set. */
const start = (maxWaiting?: number) => {
  const sent: CachedRead[][] = [];
  const failing: { error: Error | null } = { error: null };
  const lost: number[] = [];
  const recipient = {
    send: async ({ items }: Batch<CachedRead>) => {
      if (failing.error) throw failing.error;
      sent.push(items);
    },
    onLoss: (reads: number) => lost.push(reads),
  };
  const report = { ...createReadReport(recipient.onLoss, maxWaiting), send: recipient.send };
  const { flushSome, flushAll } = createFlusher(report);
  const read = (accountId: string, video: string) => report.add(accountId, transcriptOf(video));
  return { read, flushSome, flushAll, sent, lost, failing };
};

afterEach(() => {
  jest.useRealTimers();
});

describe('cached reads for libraries', () => {
  it('are recorded once for each account and transcript, however often they are repeated', async () => {
    const { read, flushAll, sent } = start();
    for (const account of ['a', 'b', 'a']) read(account, 'video000001');
    await flushAll();
    read('a', 'video000001');
    await flushAll();
    expect(sent).toEqual([
      [
        { accountId: 'a', videoId: 'video000001', language: 'en', kind: 'manual', translated: false },
        { accountId: 'b', videoId: 'video000001', language: 'en', kind: 'manual', translated: false },
      ],
    ]);
  });

  it('wait while the fetcher is away, and leave in batches that it takes', async () => {
    const { read, flushSome, flushAll, sent, failing } = start();
    for (let n = 0; n < MAX_RECORDED_READS + 1; n += 1) read('a', String(n).padStart(11, '0'));
    failing.error = serviceError('service_unavailable', { retryAfterSeconds: 1 });
    await flushSome();
    failing.error = null;
    await flushAll();
    expect(sent.map(({ length }) => length)).toEqual([MAX_RECORDED_READS, 1]);
  });

  it('that are refused again and again hold up no others, are reported, and are recorded when they are repeated', async () => {
    const { read, flushSome, sent, lost, failing } = start();
    read('a', 'video000001');
    failing.error = new Error('refused');
    for (let n = 0; lost.length === 0 && n < 100; n += 1) await flushSome();
    failing.error = null;
    read('a', 'video000001');
    await flushSome();
    expect([lost, sent.length]).toEqual([[1], 1]);
  });

  it('beyond the bound are served without being recorded, until they are repeated', async () => {
    const { read, flushAll, sent } = start(2);
    for (const video of ['video000001', 'video000002', 'video000003']) read('a', video);
    await flushAll();
    read('a', 'video000003');
    await flushAll();
    expect(sent.map(({ length }) => length)).toEqual([2, 1]);
  });

  it('are recorded again after an hour, so that a restored database of the fetcher gets them back', async () => {
    jest.useFakeTimers();
    const { read, flushAll, sent } = start();
    for (const waitMs of [1, HOUR_MS / 2, HOUR_MS]) {
      jest.advanceTimersByTime(waitMs);
      read('a', 'video000001');
      await flushAll();
    }
    expect(sent).toHaveLength(2);
  });
});
