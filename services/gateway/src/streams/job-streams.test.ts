import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createJobStreams } from './job-streams.ts';

const seen = { jobId: 'job', accountId: 'account', version: 1, progress: '{}' };

/** A reader that keeps what it is sent. */
const newReader = ({ isSlow = false } = {}) => {
  const sent: string[] = [];
  const over = { ended: false, destroyed: false };
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: isSlow,
    write: (text: string) => sent.push(text),
    end: () => {
      over.ended = true;
    },
    destroy: () => {
      over.destroyed = true;
      response.emit('close');
    },
  });
  return { response: response as unknown as ServerResponse, sent, over };
};

const startStreams = () => {
  jest.useFakeTimers();
  const calls = { count: 0 };
  const call = async () => {
    calls.count += 1;
    return new Promise<never>(() => undefined);
  };
  const ending = new AbortController();
  const streams = createJobStreams(call as never, {
    lifeMs: 25_000,
    clock: () => Date.now(),
    ending: ending.signal,
  });
  return { streams, calls, ending };
};

afterEach(() => {
  jest.useRealTimers();
});

describe('progress streams', () => {
  it('send a comment every ten seconds, and end after their life', () => {
    const { streams } = startStreams();
    const { response, sent, over } = newReader();
    streams.join(response, seen);
    jest.advanceTimersByTime(24_000);
    expect(sent).toEqual([':\n\n', ':\n\n']);
    expect(over.ended).toBe(false);
    jest.advanceTimersByTime(2_000);
    expect(over.ended).toBe(true);
  });

  it('disconnect a reader that does not read', () => {
    const { streams } = startStreams();
    const slow = newReader({ isSlow: true });
    streams.join(slow.response, seen);
    jest.advanceTimersByTime(11_000);
    expect(slow.over.destroyed).toBe(true);
    expect(slow.sent).toEqual([]);
  });

  it('read a job at once when it has ended, and soon when it has changed', () => {
    const { streams, calls } = startStreams();
    streams.join(newReader().response, seen);
    streams.hint({ jobId: 'job', version: 2, hasEnded: false });
    expect(calls.count).toBe(0);
    streams.hint({ jobId: 'job', version: 3, hasEnded: true });
    expect(calls.count).toBe(1);
  });

  it('leave no timer after the last reader', () => {
    const { streams, calls } = startStreams();
    const readers = [newReader(), newReader()];
    for (const { response } of readers) streams.join(response, seen);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    for (const { response } of readers) response.emit('close');
    expect(jest.getTimerCount()).toBe(0);
    streams.hint({ jobId: 'job', version: 2, hasEnded: false });
    jest.advanceTimersByTime(10_000);
    expect(calls.count).toBe(0);
  });

  it('return a place once, however often they are closed', () => {
    const { streams } = startStreams();
    const places = Array.from({ length: 10 }, () => streams.take('key'));
    expect(() => streams.take('key')).toThrow(expect.objectContaining({ code: 'stream_cap' }));
    places[0]?.();
    places[0]?.();
    streams.take('key');
    expect(() => streams.take('key')).toThrow();
  });
});
