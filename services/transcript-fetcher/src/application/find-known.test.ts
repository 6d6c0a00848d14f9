import type { Sql } from '@tds/service-kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFindKnown } from './find-known.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A table in which every video has a title, and the track that its id names. */
const table = () => {
  const asked: string[][] = [];
  const fault: { next: Error | null } = { next: null };
  const sql = async (_statement: unknown, [ids]: readonly string[][]) => {
    asked.push([...(ids ?? [])]);
    if (fault.next) throw fault.next;
    const details = { channel_id: null, channel_title: null, published_at: null, duration: null };
    const track = { cuesKey: 'cues/x', languageCode: 'en', kind: 'manual', translated: false };
    return [...new Set(ids)].map((videoId) => ({
      ...details,
      ...track,
      title: videoId,
      videoId,
      transcriptId: null,
    }));
  };
  return { asked, fault, findKnown: createFindKnown(sql as unknown as Sql) };
};

describe('what is known of videos that batches fetch', () => {
  it('is one look for all that ask within ten milliseconds, each answered by its own video', async () => {
    const { asked, findKnown } = table();
    const first = findKnown('video000001');
    await vi.advanceTimersByTimeAsync(9);
    const second = findKnown('video000002');
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await first).details.title).toBe('video000001');
    expect((await second).details.title).toBe('video000002');
    expect(asked).toEqual([['video000001', 'video000002']]);
  });

  it('is looked at anew for whoever comes later: it may have changed', async () => {
    const { asked, findKnown } = table();
    for (const _ of [1, 2]) {
      const known = findKnown('video000001');
      await vi.advanceTimersByTimeAsync(10);
      await known;
    }
    expect(asked).toEqual([['video000001'], ['video000001']]);
  });

  it('is asked twice in one look by two fetches of one video, for two languages', async () => {
    const { findKnown } = table();
    const both = Promise.all([findKnown('video000001'), findKnown('video000001')]);
    await vi.advanceTimersByTimeAsync(10);
    expect((await both).map(({ details }) => details.title)).toEqual(['video000001', 'video000001']);
  });

  it('fails for all who asked where the table cannot be read, and is asked again by the next one', async () => {
    const { fault, findKnown } = table();
    fault.next = new Error('the table is away');
    const failing = Promise.allSettled([findKnown('video000001'), findKnown('video000002')]);
    await vi.advanceTimersByTimeAsync(10);
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fault.next = null;
    const known = findKnown('video000001');
    await vi.advanceTimersByTimeAsync(10);
    expect((await known).tracks).toEqual([]);
  });
});
