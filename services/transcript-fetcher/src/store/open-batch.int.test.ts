import { randomUUID } from 'node:crypto';
import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshVideo, openTables, SENDING, type Tables } from '../test-support/tables.ts';
import { openBatch, type UnknownRow } from './open-batch.ts';

const DAY = '2026-11-20';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

const freshRow = (seen = false): UnknownRow => ({
  ...{ operationId: randomUUID(), videoId: freshVideo(), seen },
});
const freshRows = (count: number) => Array.from({ length: count }, () => freshRow());
type Scope = { readonly name: string; readonly most: number };
type Given = { readonly accountId?: string; readonly scopes?: readonly Scope[]; readonly permits?: number };
/** By an account of its own, with permits for all, unless told otherwise. */
const open = async (rows: readonly UnknownRow[], most = 100, given: Given = {}) => {
  const { accountId = randomUUID(), permits = rows.length } = given;
  const { scopes = [{ name: `account:${accountId}`, most }] } = given;
  const asked = { language: 'en', fallback: true, format: 'srt', price: 1 } as const;
  const batch = { ...asked, accountId, keyId: null, rows };
  const opened = await openBatch(tables.sql, batch, { day: DAY, scopes, permits }, SENDING);
  const byId = new Map(opened.result.map((row) => [row.operationId, row]));
  const inOrder = rows.map(({ operationId }) => byId.get(operationId));
  return { accountId, ...opened, inOrder };
};
const know = ({ videoId }: UnknownRow) => tables.add.selection({ video_id: videoId });
const rowsOf = async (table: string, { videoId }: UnknownRow): Promise<number> =>
  (await tables.query(`SELECT FROM ${table} WHERE video_id = $1`, [videoId])).length;
const countOf = async (scope: string) =>
  (await tables.query<{ count: number }>('SELECT count FROM cold_counts WHERE scope = $1', [scope]))[0]
    ?.count;
const counted = (accountId: string) => countOf(`account:${accountId}`);

describe('rows of a batch', () => {
  it('are opened and fetched behind what somebody waits for, in tasks of thirty-two of their account', async () => {
    const rows = freshRows(65);
    const { accountId, inOrder, left } = await open(rows);
    expect(inOrder).toEqual(
      rows.map(({ operationId }) => ({ operationId, openedId: operationId, isNew: true, refused: null })),
    );
    expect([left, await counted(accountId)]).toEqual([3, 65]);
    const tasks = await tables.query<{ videos: string[] }>(
      `SELECT ARRAY(SELECT begun ->> 'videoId' FROM jsonb_array_elements(payload -> 'fetches') AS begun) AS videos
       FROM messaging.tasks WHERE name = 'fetch-tracks' AND partition_key = $1`,
      [accountId],
    );
    const sizes = tasks.map(({ videos }) => videos.length).toSorted((one, other) => one - other);
    expect(sizes).toEqual([1, 32, 32]);
    expect(tasks.flatMap(({ videos }) => videos).toSorted()).toEqual(
      rows.map(({ videoId }) => videoId).toSorted(),
    );
    const fetches = await tables.query(
      `SELECT DISTINCT is_background, o.settlement, o.state FROM fetches f JOIN operations o ON o.fetch_id = f.id
       WHERE o.account_id = $1`,
      [accountId],
    );
    expect(fetches).toEqual([{ is_background: true, settlement: 'by_caller', state: 'fetching' }]);
  });

  it('that name a video twice are one operation, and so is what the account has open for it', async () => {
    const accountId = randomUUID();
    const [twice, held] = [freshRow(), freshRow()];
    const heldId = await tables.add.operation({ account_id: accountId, video_id: held.videoId });
    const { inOrder } = await open([twice, { ...twice, operationId: randomUUID() }, held], 1, { accountId });
    expect(inOrder.map((row) => row?.openedId)).toEqual([twice.operationId, twice.operationId, heldId]);
    expect(inOrder.map((row) => row?.isNew)).toEqual([true, false, false]);
    expect(await counted(accountId)).toBe(1);
  });

  it('join the fetch that others wait for, without a task; one for which nobody waits is begun once for two', async () => {
    const [joined, both] = [freshRow(), freshRow()];
    const fetchId = await tables.add.fetch({ video_id: joined.videoId });
    expect((await open([joined])).left).toBe(0);
    const rows = await tables.query('SELECT fetch_id FROM operations WHERE id = $1', [joined.operationId]);
    expect(rows).toEqual([{ fetch_id: fetchId }]);
    const all = await Promise.all([both, { ...both, operationId: randomUUID() }].map((row) => open([row])));
    expect(all.map(({ left }) => left).toSorted()).toEqual([0, 1]);
    expect(await rowsOf('fetches', both)).toBe(1);
  });
});

describe('rows for which there is no room', () => {
  const outcomes = (rows: Awaited<ReturnType<typeof open>>['inOrder']) =>
    rows.map((row) => (row?.isNew ? 'new' : row?.refused?.scope));

  it('are the last ones, refused by the scope that has the least; the others count in every scope', async () => {
    const [wide, narrow] = [5, 2].map((most) => ({ name: `key:${randomUUID()}`, most })) as [Scope, Scope];
    const rows = freshRows(4);
    const { inOrder } = await open(rows, 0, { scopes: [wide, narrow] });
    expect(outcomes(inOrder)).toEqual(['new', 'new', narrow.name, narrow.name]);
    expect([await countOf(wide.name), await countOf(narrow.name)]).toEqual([2, 2]);
    expect(await Promise.all(rows.map((row) => rowsOf('operations', row)))).toEqual([1, 1, 0, 0]);
    const { inOrder: none, left } = await open(freshRows(2), 0, { scopes: [wide, narrow] });
    expect([outcomes(none), left]).toEqual([[narrow.name, narrow.name], 0]);
    expect(await countOf(wide.name)).toBe(2);
  });

  it('are refused by the pool where permits are missing, unless a scope has less room than that', async () => {
    const { inOrder, accountId } = await open(freshRows(3), 100, { permits: 1 });
    expect(outcomes(inOrder)).toEqual(['new', null, null]);
    expect(await counted(accountId)).toBe(1);
    const scope = { name: `key:${randomUUID()}`, most: 1 };
    const { inOrder: fewer } = await open(freshRows(3), 0, { permits: 2, scopes: [scope] });
    expect(outcomes(fewer)).toEqual(['new', scope.name, scope.name]);
    const { inOrder: asMany } = await open(freshRows(3), 2, { permits: 2 });
    expect(outcomes(asMany)).toEqual(['new', 'new', null]);
    const { inOrder: none } = await open(freshRows(1), 100, { permits: 0 });
    expect(none).toMatchObject([{ openedId: null, refused: { scope: null } }]);
  });

  it('are never too few where several batches of a key come at once', async () => {
    const scope = { name: `key:${randomUUID()}`, most: 10 };
    const all = await Promise.all([1, 2, 3, 4].map(() => open(freshRows(4), 0, { scopes: [scope] })));
    const opened = all.flatMap(({ inOrder }) => outcomes(inOrder)).filter((outcome) => outcome === 'new');
    expect([opened.length, await countOf(scope.name)]).toEqual([10, 10]);
  });
});

describe('rows of a batch of which nothing was known when they were looked at', () => {
  it('are to be looked at again where the cache knows them by now: they begin nothing and count nowhere', async () => {
    const [known, cold] = [freshRow(), freshRow()];
    await know(known);
    const rows = [known, cold, { ...known, operationId: randomUUID() }];
    const { accountId, inOrder, left } = await open(rows, 2);
    const again = { openedId: null, isNew: false, refused: null };
    expect(inOrder).toMatchObject([again, { openedId: cold.operationId, isNew: true }, again]);
    expect(left).toBe(1);
    expect(await counted(accountId)).toBe(1);
    expect([await rowsOf('operations', known), await rowsOf('fetches', known)]).toEqual([0, 0]);
  });

  it.each([
    ['a manual track in the language', (video_id: string) => tables.add.transcript({ video_id }), null],
    ['a fact', (id: string) => tables.add.video({ id, fact: {} }), null],
    [
      'a track of another kind',
      (video_id: string) => tables.add.transcript({ video_id, kind: 'asr' }),
      'new',
    ],
    ['a video without a fact', (id: string) => tables.add.video({ id }), 'new'],
  ])('are looked at again or fetched where there is %s by now', async (_what, add, expected) => {
    const row = freshRow();
    await add(row.videoId);
    const { inOrder } = await open([row]);
    expect(inOrder).toMatchObject([{ isNew: expected === 'new', refused: null }]);
  });

  it('are not fetched once more while the end of their fetch is being saved', async () => {
    const row = freshRow();
    await open([row]);
    const saving = await tables.pool.connect();
    await saving.query('BEGIN');
    await saving.query(`UPDATE fetches SET state = 'done', ended_at = now() WHERE video_id = $1`, [
      row.videoId,
    ]);
    await saving.query(
      `INSERT INTO selections (video_id, language, is_fallback, translation, available)
       VALUES ($1, 'en', false, 'not_requested', '{en}')`,
      [row.videoId],
    );
    const opening = open([{ ...row, operationId: randomUUID() }]);
    await eventually(async () => expect(await tables.waiting()).toBe(1));
    await saving.query('COMMIT');
    saving.release();
    expect((await opening).result).toMatchObject([{ openedId: null, isNew: false, refused: null }]);
    expect(await rowsOf('fetches', row)).toBe(1);
  });
});

describe('rows of a batch that the cache knew and could not answer', () => {
  it('are fetched', async () => {
    const row = freshRow(true);
    await know(row);
    expect((await open([row])).result).toMatchObject([{ openedId: row.operationId, isNew: true }]);
    expect(await rowsOf('fetches', row)).toBe(1);
  });
});
