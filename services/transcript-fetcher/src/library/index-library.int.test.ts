import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { newAccount, openLibrary, type TestLibrary } from '../test-support/library.ts';
import { moveCues } from '../tracks/store/transcripts.ts';
import type { IndexDeps } from './index-library.ts';
import { reindexLibraries } from './schedules.ts';
import { type SplitCues, splitOnLoop } from './split-cues.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

const receive = async (texts: readonly string[]) => {
  const account = newAccount();
  const { id } = await library.addTranscript(texts);
  await library.receive(account, id);
  return { account, id };
};
const splitWith = (splitCues: SplitCues): Partial<IndexDeps> => ({ splitCues });
const failing = (error: Error) => splitWith(() => Promise.reject(error));
/** The time until the next try passes. */
const passTime = async (id: string) => {
  await library.rows.endLeases('unindexed_transcripts');
  await library.rows.makeDue('unindexed_transcripts', { where: 'id = $1', values: [id] });
};
const waitOf = async (id: string): Promise<number | undefined> => {
  const text =
    'SELECT extract(epoch FROM greatest(due_at, lease_until) - now())::float8 AS wait FROM unindexed_transcripts WHERE id = $1';
  return (await library.query<{ wait: number }>(text, [id]))[0]?.wait;
};
const isIndexed = async (account: string) => (await library.entries(account)).every((each) => each.is_indexed);

describe('captions that end the process that reads them', () => {
  const die = async () => {
    const begun = Promise.withResolvers<void>();
    const hang = splitWith(() => {
      begun.resolve();
      return new Promise(() => {});
    });
    void library.index(hang);
    await begun.promise;
  };

  it('are not the first again at the next start, and are given up after three deaths', async () => {
    const { account, id } = await receive(['Poison.']);
    for (const _ of [1, 2, 3]) {
      await die();
      const other = await receive(['Harmless.']);
      await library.index();
      expect(await isIndexed(other.account)).toBe(true);
      expect(await isIndexed(account)).toBe(false);
      await passTime(id);
    }
    await library.index(failing(new Error('tried again')));
    expect(await isIndexed(account)).toBe(true);
    expect(await library.search(account, 'poison')).toMatchObject({ total: 0 });
    const later = newAccount();
    await library.receive(later, id);
    await library.index(failing(new Error('tried again')));
    expect(await isIndexed(later)).toBe(true);
  });

  it('are indexed when they have changed', async () => {
    const { account, id } = await receive(['Poison.']);
    for (const _ of [1, 2, 3, 4]) {
      await library.index(failing(new Error('too much')));
      await passTime(id);
    }
    const { id: other } = await library.addTranscript(['Remedy.']);
    const [row] = await library.query<{ object_key: string }>(
      'SELECT object_key FROM transcripts WHERE id = $1',
      [other],
    );
    await moveCues(library.db, id, String(row?.object_key));
    await library.index();
    expect(await library.search(account, 'remedy')).toMatchObject({ total: 1 });
  });
});

describe('a try to index a transcript', () => {
  it('waits longer after each failure', async () => {
    const { account, id } = await receive(['Slow.']);
    const waits: number[] = [];
    for (const _ of [1, 2, 3]) {
      await library.index(failing(new Error('not now')));
      waits.push((await waitOf(id)) ?? 0);
      await passTime(id);
    }
    expect(waits[1]).toBeGreaterThan((waits[0] ?? 0) * 5);
    expect(waits[2]).toBeGreaterThan((waits[1] ?? 0) * 5);
    expect(await isIndexed(account)).toBe(false);
  });

  it('does not count if the object store is away', async () => {
    const { account, id } = await receive(['Patient.']);
    const away = { getBytes: () => Promise.reject(new Error('away')) } as unknown as IndexDeps['objects'];
    for (const _ of [1, 2, 3, 4, 5]) {
      await library.index({ objects: away });
      await passTime(id);
    }
    await library.index();
    expect(await library.search(account, 'patient')).toMatchObject({ total: 1 });
  });

  it('is not begun by another instance meanwhile', async () => {
    const { account } = await receive(['Busy.']);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let splits = 0;
    const slow = splitWith(async (input) => {
      splits += 1;
      begun.resolve();
      await gate.promise;
      return splitOnLoop(input);
    });
    const first = library.index(slow);
    await begun.promise;
    await library.index(slow);
    expect(splits).toBe(1);
    gate.resolve();
    await first;
    expect(await library.search(account, 'busy')).toMatchObject({ total: 1 });
    expect(splits).toBe(1);
  });

  it('leaves nothing of captions that changed while it ran', async () => {
    const { account, id } = await receive(['Old.']);
    const { id: other } = await library.addTranscript(['New.']);
    const [row] = await library.query<{ object_key: string }>(
      'SELECT object_key FROM transcripts WHERE id = $1',
      [other],
    );
    const changing = splitWith(async (input) => {
      await moveCues(library.db, id, String(row?.object_key));
      return splitOnLoop(input);
    });
    await library.index(changing);
    await library.index();
    expect(await library.search(account, 'old')).toMatchObject({ total: 0 });
    expect(await library.search(account, 'new')).toMatchObject({ total: 1 });
  });
});

describe('the index of one transcript', () => {
  it('has a bound of different words; what comes before it is found', async () => {
    const wordOf = (n: number) => `w${n.toString(36)}x`;
    const texts = Array.from({ length: 1_200 }, (_, n) =>
      Array.from({ length: 50 }, (_, m) => wordOf(n * 50 + m)).join(' '),
    );
    const { account, id } = await receive(texts);
    await library.index();
    const [row] = await library.query<{ keys: number }>(
      'SELECT cardinality(words) AS keys FROM library_entries WHERE transcript_id = $1',
      [id],
    );
    expect(row?.keys).toBeGreaterThan(49_000);
    expect(row?.keys).toBeLessThanOrEqual(50_000);
    expect(await library.search(account, wordOf(45_000))).toMatchObject({ total: 1 });
    expect(await library.search(account, wordOf(59_000))).toMatchObject({ total: 0 });
  });
});

describe('a library that nobody has searched', () => {
  it('is not indexed until its first search, which waits for it and finds all of it', async () => {
    const account = newAccount();
    for (const text of ['The lighthouse keeper', 'Another lighthouse']) {
      const { id } = await library.addTranscript([text]);
      await library.receiveUnsearched(account, id);
    }
    await library.index();
    expect(await isIndexed(account)).toBe(false);
    const searching = library.search(account, 'lighthouse');
    await eventually(async () => {
      await library.index();
      expect(await isIndexed(account)).toBe(true);
    });
    expect(await searching).toMatchObject({ total: 2, is_complete: true });
    const { id } = await library.addTranscript(['A third lighthouse']);
    await library.receiveUnsearched(account, id);
    await library.index();
    expect(await library.search(account, 'lighthouse')).toMatchObject({ total: 3, is_complete: true });
  });

  it('is indexed at its first search also where a transcript waits for the words of monitors', async () => {
    const { accountId, jobId } = await library.addWatch(['harbour']);
    const { id } = await library.addTranscript(['A harbour at night']);
    await library.receiveUnsearched(accountId, id, jobId);
    await library.index();
    const searching = library.search(accountId, 'night');
    await eventually(async () => {
      await library.index();
      expect(await isIndexed(accountId)).toBe(true);
    });
    expect(await searching).toMatchObject({ total: 1, is_complete: true });
  });

  it('that its account searches while a delivery is committed is queued by the next look', async () => {
    const account = newAccount();
    const { id } = await library.addTranscript(['The harbour at noon']);
    const delivery = await library.pool.connect();
    const given = [{ account_id: account, transcript_id: id, job_id: null }];
    await delivery.query('BEGIN');
    await delivery.query('SELECT save_received($1)', [JSON.stringify(given)]);
    expect(await library.search(account, 'harbour')).toMatchObject({ total: 0, is_complete: true });
    await delivery.query('COMMIT');
    delivery.release();
    await library.index();
    expect(await isIndexed(account)).toBe(false);
    const look = async () => {
      await reindexLibraries(library, testContext());
      await library.index();
      return isIndexed(account);
    };
    expect(await look()).toBe(false);
    await library.query(`UPDATE searched_libraries SET first_searched_at = now() - interval '2 minutes'`);
    expect(await look()).toBe(true);
  });

  it('says that a search has not looked through what is not indexed', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const { id } = await library.addTranscript(['The unread harbour']);
    await library.receiveUnsearched(account, id);
    expect(await library.search(account, 'harbour')).toMatchObject({ total: 0, is_complete: false });
    // What another account has had indexed is still to be indexed for this one.
    await library.receiveUnsearched(other, id);
    await library.index();
    expect(await library.search(account, 'harbour')).toMatchObject({ total: 1, is_complete: true });
    expect(await isIndexed(other)).toBe(false);
  });
});
