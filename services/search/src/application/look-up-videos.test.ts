import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, serviceError } from '@tds/errors';
import { DATA_API_PAGE, type SeenVideo } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { lookUpVideos } from './look-up-videos.ts';

const payer = { accountId: 'account', tier: 'free' } as const;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);
const seen = (id: string): SeenVideo => ({
  id,
  title: id,
  publishedAt: null,
  durationSeconds: 60,
  thumbnailUrl: `https://i.example/${id}.jpg?sqp=x`,
  isShort: null,
  broadcast: null as unknown as SeenVideo['broadcast'],
});

/** Records statements with their values instead of running them. */
const fakeDatabase = () => {
  const saved: unknown[][] = [];
  return {
    saved,
    db: {
      $executeRaw: async (_text: unknown, ...values: unknown[]) => {
        saved.push(values);
        return 1;
      },
    },
  };
};
const depsOf = (given: object, lookUpMs = 5_000) => {
  const { db, saved } = fakeDatabase();
  const deps = {
    db,
    now: () => new Date(),
    limits: { lookUpMs },
    dataApi: null,
    ...given,
  } as unknown as Deps;
  return { deps, saved };
};
const signal = new AbortController().signal;
const lookUp = (deps: Deps, count: number) => lookUpVideos(deps, ids(count), { signal, payer });

describe('lookups of videos', () => {
  it('save available and unavailable videos', async () => {
    const discovery = { lookUpVideo: async (id: string) => (id === 'v1' ? null : seen(id)) };
    const { deps, saved } = depsOf({ discovery });
    expect(await lookUp(deps, 3)).toEqual([]);
    const text = JSON.stringify(saved);
    for (const id of ['v0', 'v1', 'v2']) expect(text).toContain(id);
    expect(text).toContain('https://i.example/v0.jpg');
    expect(text).not.toContain('sqp');
  });

  it('run concurrently, but not more than 32 at once', async () => {
    let running = 0;
    let most = 0;
    const discovery = {
      lookUpVideo: async (id: string) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        return seen(id);
      },
    };
    expect(await lookUp(depsOf({ discovery }).deps, 100)).toEqual([]);
    expect(most).toBe(32);
  });

  it('name the requesting account', async () => {
    const callers = new Set<string | undefined>();
    const discovery = {
      lookUpVideo: async (id: string, call: { callerId?: string }) => {
        callers.add(call.callerId);
        return seen(id);
      },
    };
    await lookUp(depsOf({ discovery }).deps, 3);
    expect([...callers]).toEqual(['account']);
  });

  it('that fail leave these videos open, and no others', async () => {
    const discovery = {
      lookUpVideo: async (id: string) => {
        if (id === 'v1') throw serviceError('upstream_error');
        return seen(id);
      },
    };
    expect(await lookUp(depsOf({ discovery }).deps, 4)).toEqual(['v1']);
  });

  it.each<ErrorCode>(['data_api_unit_cap', 'budget_exhausted'])(
    'end with %s, which every other video would meet',
    async (code) => {
      const discovery = { lookUpVideo: async () => Promise.reject(serviceError(code)) };
      await expect(lookUp(depsOf({ discovery }).deps, 4)).rejects.toMatchObject({ code });
    },
  );

  it('do not hide other errors', async () => {
    const discovery = { lookUpVideo: async () => Promise.reject(new TypeError('a bug')) };
    await expect(lookUp(depsOf({ discovery }).deps, 1)).rejects.toThrow('a bug');
  });

  it('that are late leave their videos open', async () => {
    const discovery = {
      lookUpVideo: async (id: string, call: { signal: AbortSignal }) => {
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        if (id !== 'never') throw serviceError('service_unavailable');
        return null;
      },
    };
    expect((await lookUp(depsOf({ discovery }, 20).deps, 50)).toSorted()).toEqual(ids(50).toSorted());
  });

  it('over the Data API take a page at a time, paid by the account', async () => {
    const asked: [number, string | undefined][] = [];
    const dataApi = {
      lookUpVideos: async (some: readonly string[], call: { callerId?: string }) => {
        asked.push([some.length, call.callerId]);
        return some.map(seen);
      },
    };
    const { deps } = depsOf({ dataApi });
    expect(await lookUp(deps, 2 * DATA_API_PAGE + 1)).toEqual([]);
    expect(asked).toEqual([
      [DATA_API_PAGE, 'free:account'],
      [DATA_API_PAGE, 'free:account'],
      [1, 'free:account'],
    ]);
  });

  it('of no videos make no request', async () => {
    expect(await lookUp(depsOf({}).deps, 0)).toEqual([]);
  });
});
