import { describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { CaptionReader } from '@tds/video-platform';
import { buildFetch, transcript, video } from '../test-support/cached.ts';
import { buildInspection } from '../test-support/inspected.ts';
import { filesOnTheLoop, readWith } from '../test-support/track-files.ts';
import { fetchTrack } from './fetch-track.ts';

const cue: Cue = { startMs: 0, durationMs: 1_000, text: 'hello' };
const choice = { isFallback: false, translation: 'not_requested' } as const;
const hit = { kind: 'hit', hit: { transcript, choice, file: null }, fact: null, isEnded: false } as const;

/** A platform with this answer and an object store with these keys. */
const setUp = ({
  inspect = async () => buildInspection(),
  stored = [],
  nowMs = () => Date.parse('2026-11-20T12:00:00.000Z'),
}: {
  inspect?: () => Promise<unknown>;
  stored?: readonly string[];
  nowMs?: () => number;
} = {}) => {
  const seen = { asked: 0, errors: 0 };
  const deps = {
    platform: {
      inspectVideo: async () => {
        seen.asked += 1;
        return await inspect();
      },
      findPublishDate: async () => '2020-01-02',
      fetchTrack: (_inspection: unknown, _choice: unknown, _call: unknown, read: CaptionReader<unknown>) =>
        readWith(read, [cue]),
    },
    files: filesOnTheLoop,
    objects: { stat: async (key: string) => (stored.includes(key) ? {} : null) },
    log: {
      error: () => {
        seen.errors += 1;
      },
    },
    now: () => new Date(nowMs()),
  };
  const fetch = (given: Parameters<typeof buildFetch>[0] = {}, signal = new AbortController().signal) =>
    fetchTrack(deps as never, buildFetch(given), signal);
  return { fetch, seen };
};

describe('a fetch whose routes have failed', () => {
  /** A platform that fails for some time, and recovers if it is asked again. */
  const setUpTrouble = (lastedMs: number, failure = serviceError('ip_blocked', { retryAfterSeconds: 1 })) => {
    let [asked, now] = [0, 0];
    const inspect = async () => {
      asked += 1;
      if (asked > 1) return buildInspection();
      now += lastedMs;
      throw failure;
    };
    return setUp({ inspect, nowMs: () => now });
  };
  const [polled, waiting] = [26_000, 2_000];

  it('asks once more after a wait if its caller polls by now', async () => {
    const { fetch, seen } = setUpTrouble(polled);
    expect((await fetch({ priority: 'reads' })).end).toMatchObject({
      error: null,
      track: { languageCode: 'en' },
    });
    expect(seen.asked).toBe(2);
  });

  it.each([
    ['its caller still waits and hears of it', waiting, 'reads' as const, undefined],
    ['a job retries its rows', polled, 'jobs' as const, undefined],
    ['the failure is about the video', polled, 'reads' as const, serviceError('no_captions')],
    [
      'the wait is too long',
      polled,
      'reads' as const,
      serviceError('rate_limited', { retryAfterSeconds: 300 }),
    ],
  ])('ends at once if %s', async (_why, lastedMs, priority, failure) => {
    const { fetch, seen } = setUpTrouble(lastedMs, failure);
    expect((await fetch({ priority })).end.error).not.toBeNull();
    expect(seen.asked).toBe(1);
  });
});

describe('a fetch', () => {
  it('returns a new track with its first file and selection', async () => {
    const { end, objects } = await setUp().fetch();
    expect(end).toMatchObject({
      track: { videoId: video.id, languageCode: 'en', measures: { words: 1 } },
      file: { format: 'srt' },
      cachedId: null,
      error: null,
    });
    expect(objects.map(({ key }) => key)).toEqual([end.track?.cuesKey, end.file?.objectKey]);
  });

  it('of a track that became known while its row waited requests nothing', async () => {
    const { fetch, seen } = setUp({ stored: [transcript.cuesKey] });
    expect((await fetch({ cacheAnswer: hit })).end).toMatchObject({
      cachedId: transcript.id,
      choice,
      track: null,
    });
    const known = { kind: 'failed', error: serviceError('no_captions') } as const;
    expect((await fetch({ cacheAnswer: known })).end).toMatchObject({ error: { code: 'no_captions' } });
    expect(seen.asked).toBe(0);
  });

  it('of a known but lost track requests it again', async () => {
    const { fetch, seen } = setUp();
    expect((await fetch({ cacheAnswer: hit })).end).toMatchObject({ error: null });
    expect(seen.asked).toBe(1);
  });

  it('that the platform refuses ends at once with that error', async () => {
    const { fetch, seen } = setUp({ inspect: () => Promise.reject(serviceError('ip_blocked')) });
    expect((await fetch()).end).toMatchObject({ error: { code: 'ip_blocked' }, track: null });
    expect([seen.asked, seen.errors]).toEqual([1, 0]);
  });

  it('that exceeds its time limit ends, with an error in the log', async () => {
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    const { fetch, seen } = setUp({ inspect: () => Promise.reject(late.reason) });
    expect((await fetch({}, late)).end).toMatchObject({ error: { code: 'relay_attempt_cap' } });
    expect(seen.errors).toBe(1);
  });

  it('is left to another worker if its process stops', async () => {
    const stopping = AbortSignal.abort(new Error('the service stops'));
    const { fetch } = setUp({ inspect: () => Promise.reject(stopping.reason) });
    await expect(fetch({}, stopping)).rejects.toThrow('the service stops');
  });

  it('with which four workers died is not retried', async () => {
    const { fetch, seen } = setUp();
    expect((await fetch({ losses: 3 })).end.error).toBeNull();
    expect((await fetch({ losses: 4 })).end).toMatchObject({ error: { code: 'relay_attempt_cap' } });
    expect(seen.asked).toBe(1);
  });
});
