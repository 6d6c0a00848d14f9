import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createKeptDownloads, keepDownloads } from './downloads.ts';

const name = (index: number) => `sdk-1.0.${index}-0123456789ab.tgz`;
const download = {
  path: `/downloads/${name(0)}`,
  newest: '/downloads/sdk.tgz',
  contentType: 'application/gzip',
  body: Buffer.from('a package'),
  isText: false,
};

describe('the packages of this release', () => {
  it('are stored when the store is back, and a stop waits for no store that is away', async () => {
    const stored: string[] = [];
    let isAway = true;
    const objects = {
      putAll: async (all: readonly { key: string }[]) => {
        if (isAway) throw new Error('away');
        stored.push(...all.map(({ key }) => key));
      },
    };
    const stops: (() => Promise<void>)[] = [];
    const kit = {
      objects,
      log: { warn: () => {} },
      onStop: (_: string, stop: () => Promise<void>) => void stops.push(stop),
    };
    keepDownloads(kit as never, [download], 5);
    isAway = false;
    await eventually(() => expect(stored).toEqual([`downloads/${name(0)}`]));
    isAway = true;
    keepDownloads(kit as never, [download]);
    await Promise.all(stops.map((stop) => stop()));
    expect(stored).toHaveLength(1);
  });
});

describe('packages of other releases', () => {
  it('are unavailable, not gone, while the store is away', async () => {
    const kept = createKeptDownloads({ getBytes: () => Promise.reject(new Error('away')) });
    await expect(kept(name(1))).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('take few reads of the store at once, whatever callers ask for, and none for what is no name', async () => {
    const reads: ((body: Buffer | null) => void)[] = [];
    const kept = createKeptDownloads({ getBytes: () => new Promise((resolve) => reads.push(resolve)) });
    const codes = Promise.all(
      [1, 2, 3, 4, 5, 6].map((index) =>
        kept(name(index)).then(
          ({ status }) => status,
          ({ code }) => code,
        ),
      ),
    );
    await expect(kept('rendered/x')).rejects.toMatchObject({ code: 'not_found' });
    expect(reads).toHaveLength(4);
    for (const answer of reads) answer(Buffer.from('a package'));
    expect(await codes).toEqual([200, 200, 200, 200, 'service_unavailable', 'service_unavailable']);
    expect((await kept(name(1))).body?.toString()).toBe('a package');
    expect(reads).toHaveLength(4);
  });
});
