import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { newAccount, openLibrary, type TestLibrary } from '../test-support/library.ts';
import { listEntries } from './store/library.ts';
import { queueUnsearchable } from './store/library-index.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

type Page<Item> = {
  readonly items: readonly Item[];
  readonly offset: number;
  readonly cursors: readonly string[];
};

/** All items of a list, page by page, which grows before each page but the first one. */
const readGrowing = async <Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
  grow: () => Promise<unknown>,
): Promise<Item[]> => {
  const all: Item[] = [];
  for (let after: string | undefined; ; await grow()) {
    const { items, cursors } = await read(after);
    if (items.length === 0) return all;
    all.push(...items);
    after = cursors.at(-1);
  }
};

const expectOnce = (read: readonly string[], there: readonly string[]) => {
  expect(new Set(read).size).toBe(read.length);
  expect(read).toEqual(expect.arrayContaining([...there]));
};

describe('a list that grows while it is read has each item once', () => {
  const fill = async (account: string, count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1)
      ids.push(
        (await library.addIndexed(account, ['A quay.', 'No such word.', `${'word '.repeat(n)}quay.`])).videoId,
      );
    return ids;
  };

  it('as passages of a search', async () => {
    const account = newAccount();
    const there = await fill(account, 4);
    const read = await readGrowing(
      async (after) => {
        const { results, ...page } = await library.search(account, 'quay', { limit: 3, after });
        return { ...page, items: results.map(({ video_id: id, start }) => `${id} ${start}`) };
      },
      () => fill(account, 1),
    );
    expectOnce(
      read,
      there.map((id) => `${id} 0`),
    );
  });

  it('as transcripts and as matches', async () => {
    const monitor = await library.addWatch(['quay']);
    const { accountId } = monitor;
    const receive = async () => {
      const { id, videoId } = await library.addTranscript(['A quay.']);
      await library.receive(accountId, id, monitor.jobId);
      await library.index();
      await library.match(id, [monitor.watch]);
      return videoId;
    };
    const there = [await receive(), await receive(), await receive(), await receive(), await receive()];
    const page = { limit: 2, offset: 0 };
    const transcripts = await readGrowing(async (after) => {
      const { transcripts: rows, ...rest } = await listEntries(library.sql, { accountId, ...page, after });
      return { ...rest, items: rows.map(({ video_id: id }) => id) };
    }, receive);
    expectOnce(transcripts, there);
    const matches = await readGrowing(async (after) => {
      const {
        matches: rows,
        cursors = [],
        offset = 0,
      } = await library.matches(accountId, undefined, { ...page, after });
      return { offset, cursors, items: rows.map(({ id }) => id) };
    }, receive);
    expectOnce(matches, []);
    expect(matches.length).toBeGreaterThanOrEqual(there.length);
  });
});

describe('the index of a library', () => {
  const receiveTwo = async (account: string) => {
    for (const text of ['The lighthouse keeper', 'Another lighthouse']) {
      const { id } = await library.addTranscript([text]);
      await library.receiveUnsearched(account, id);
    }
  };

  it('says how much of what was chosen can be found, and whether the rest is on its way', async () => {
    const account = newAccount();
    await receiveTwo(account);
    const early = await library.search(account, 'lighthouse');
    expect(early).toMatchObject({ total: 0, is_complete: false });
    expect(early.index).toEqual({ transcripts: 2, indexed: 0, is_growing: true });
    const { language } = { language: 'de' };
    expect((await library.search(account, 'lighthouse', { language })).index).toEqual({
      ...{ transcripts: 0, indexed: 0, is_growing: false },
    });
    await library.rows.makeDue('unindexed_transcripts', {}, '1 day');
    expect((await library.search(account, 'lighthouse')).index).toMatchObject({
      indexed: 0,
      is_growing: false,
    });
  });

  it('of an account with a session is made as transcripts arrive, so that its first search is whole', async () => {
    const account = newAccount();
    await receiveTwo(account);
    await queueUnsearchable(library.sql, account);
    await eventually(async () => {
      await library.index();
      expect((await library.entries(account)).every((entry) => entry.is_indexed)).toBe(true);
    });
    await receiveTwo(account);
    await library.index();
    expect((await library.entries(account)).every((entry) => entry.is_indexed)).toBe(true);
    expect(await library.search(account, 'lighthouse')).toMatchObject({ total: 4, is_complete: true });
  });

  it('is not begun for an account that was closed meanwhile', async () => {
    const account = newAccount();
    await library.query('INSERT INTO library_removals (id) VALUES ($1)', [account]);
    await queueUnsearchable(library.sql, account);
    expect(await library.query('SELECT FROM searched_libraries WHERE account_id = $1', [account])).toEqual([]);
  });
});
