import { randomUUID } from 'node:crypto';
import { serviceError } from '@tds/contracts';
import { createSql } from '@tds/service-kit';
import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewOperation } from '../domain/operation.ts';
import { freshVideo, openTables, type Tables } from '../test-support/tables.ts';
import { uncount } from './cold-counts.ts';
import { disown, openOperation } from './open-operation.ts';
import { claimChargeReport } from './operations.ts';

const DAY = '2026-11-20';
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

type Scope = { readonly name: string; readonly most: number };
type Priced = NewOperation & { readonly price: number };
const newOperation = (given: Partial<Priced> = {}): Priced => ({
  ...{ id: randomUUID(), accountId: randomUUID(), keyId: randomUUID(), videoId: freshVideo() },
  ...{ language: 'en', fallback: true, format: 'srt', price: 1 },
  ...given,
});
const open = (
  operation = newOperation(),
  { scopes = [] as readonly Scope[], hasPermits = true, day = DAY } = {},
) => openOperation(tables.sql, operation, { day, scopes, hasPermits });
const counted = async (scope: string): Promise<Record<string, number>> => {
  const rows = await tables.query<{ day: string; count: number }>(
    'SELECT day::text, count FROM cold_counts WHERE scope = $1',
    [scope],
  );
  return Object.fromEntries(rows.map(({ day, count }) => [day, count]));
};
const waitingFor = (count: number) => eventually(async () => expect(await tables.waiting()).toBe(count));
const freshScope = (most: number): Scope => ({ name: `key:${randomUUID()}`, most });

describe('a cap', () => {
  it('admits exactly as many as it says when twenty come at once', async () => {
    const scope = freshScope(3);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => open(newOperation(), { scopes: [scope] })),
    );
    const kinds = all.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'opened')).toHaveLength(3);
    expect(all.filter(({ kind }) => kind !== 'opened')).toEqual(
      Array(17).fill({ kind: 'refused', scope: scope.name }),
    );
    expect(await counted(scope.name)).toEqual({ [DAY]: 3 });
  });

  it('of zero admits nobody, and nothing is counted', async () => {
    const scope = freshScope(0);
    expect(await open(newOperation(), { scopes: [scope] })).toEqual({ kind: 'refused', scope: scope.name });
    expect(await counted(scope.name)).toEqual({});
  });

  it('is empty again on the next day, and what comes late still counts on its own', async () => {
    const scope = freshScope(1);
    const onDay = (day: string) => open(newOperation(), { scopes: [scope], day });
    expect(await onDay('2026-11-20')).toMatchObject({ kind: 'opened' });
    expect(await onDay('2026-11-21')).toMatchObject({ kind: 'opened' });
    expect(await onDay('2026-11-20')).toMatchObject({ kind: 'refused' });
    expect(await counted(scope.name)).toEqual({ '2026-11-20': 1, '2026-11-21': 1 });
  });

  it('that is full refuses in the order of the scopes, and the others count nothing for it', async () => {
    const [roomy, full, alsoFull] = [freshScope(9), freshScope(1), freshScope(1)];
    await open(newOperation(), { scopes: [full, alsoFull] });
    const operation = newOperation();
    const refused = await open(operation, { scopes: [roomy, full, alsoFull], hasPermits: false });
    expect(refused).toEqual({ kind: 'refused', scope: full.name });
    expect(await counted(roomy.name)).toEqual({});
    expect(await tables.query('SELECT FROM operations WHERE id = $1', [operation.id])).toEqual([]);
  });

  it('that fills up after the first look undoes what was counted before it', async () => {
    const [roomy, filling] = [freshScope(9), freshScope(1)];
    const filler = await tables.pool.connect();
    await filler.query('BEGIN');
    await filler.query(`INSERT INTO cold_counts VALUES ($1, $2, 1)`, [filling.name, DAY]);
    const operation = newOperation();
    const opening = open(operation, { scopes: [roomy, filling] });
    await waitingFor(1);
    await filler.query('COMMIT');
    filler.release();
    expect(await opening).toEqual({ kind: 'refused', scope: filling.name });
    expect(await counted(roomy.name)).toEqual({});
    expect(await tables.query('SELECT FROM operations WHERE id = $1', [operation.id])).toEqual([]);
  });

  it('is named before the pool; without a permit nothing is opened or counted', async () => {
    const scope = freshScope(1);
    expect(await open(newOperation(), { scopes: [scope], hasPermits: false })).toEqual({
      kind: 'refused',
      scope: null,
    });
    expect(await counted(scope.name)).toEqual({});
  });

  it('gets back what never began, in every scope, and never more than was counted', async () => {
    const scopes = [freshScope(5), freshScope(5)];
    const names = scopes.map(({ name }) => name);
    await open(newOperation(), { scopes });
    await open(newOperation(), { scopes });
    await uncount(tables.db, names, DAY);
    expect(await Promise.all(names.map(counted))).toEqual([{ [DAY]: 1 }, { [DAY]: 1 }]);
    await uncount(tables.db, names, DAY);
    await uncount(tables.db, names, DAY);
    await uncount(tables.db, names, '2026-11-21');
    expect(await Promise.all(names.map(counted))).toEqual([{ [DAY]: 0 }, { [DAY]: 0 }]);
  });
});

describe('the account`s open operation for the same track', () => {
  it('is joined by all who come at once but one, which counts once', async () => {
    const scope = freshScope(9);
    const { accountId, videoId } = newOperation();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => open(newOperation({ accountId, videoId }), { scopes: [scope] })),
    );
    expect(all.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
    expect(new Set(all.map((each) => 'id' in each && each.id)).size).toBe(1);
    expect(await counted(scope.name)).toEqual({ [DAY]: 1 });
  });

  it('is joined also by who comes while it takes the last that a cap allows', async () => {
    const scope = freshScope(1);
    const first = newOperation();
    const again = newOperation({ accountId: first.accountId, videoId: first.videoId });
    const opener = await tables.pool.connect();
    await opener.query('BEGIN');
    // Nobody reads what is counted before both are committed together.
    await opener.query('LOCK TABLE cold_counts');
    const coming = open(again, { scopes: [scope] });
    await waitingFor(1);
    await openOperation(createSql(opener), first, { day: DAY, scopes: [scope], hasPermits: true });
    await opener.query('COMMIT');
    opener.release();
    expect(await coming).toEqual({ kind: 'joined', id: first.id });
    expect(await counted(scope.name)).toEqual({ [DAY]: 1 });
  });

  it('is joined also where every cap is full and no permit is left', async () => {
    const first = newOperation();
    await open(first);
    const again = newOperation({ accountId: first.accountId, videoId: first.videoId });
    expect(await open(again, { scopes: [freshScope(0)], hasPermits: false })).toEqual({
      kind: 'joined',
      id: first.id,
    });
  });

  it.each([
    ['in another language', { language: 'de' }],
    ['under another rule', { fallback: false }],
    ['of another account', { accountId: randomUUID() }],
  ])('is not one %s', async (_what, given) => {
    const first = newOperation();
    await open(first);
    expect(await open({ ...first, id: randomUUID(), ...given })).toMatchObject({ kind: 'opened' });
  });

  it('is no longer joined once it has ended', async () => {
    const first = newOperation();
    await open(first);
    await tables.query(`UPDATE operations SET state = 'failed', error = '{}' WHERE id = $1`, [first.id]);
    expect(await open({ ...first, id: randomUUID() })).toMatchObject({ kind: 'opened' });
  });
});

describe('disowning a request', () => {
  const error = serviceError('relay_unavailable').data;
  const disownIt = (operation: Priced) => disown(tables.db, operation, error);
  const stateOf = async (id: string) =>
    (
      await tables.query(
        `SELECT state, settlement, charge, charge_reported_to AS told, disowned_at IS NOT NULL AS disowned
         FROM operations WHERE id = $1`,
        [id],
      )
    )[0];
  /** A delivery that was charged and settled. */
  const delivered = async (operation = newOperation()) => {
    const { accountId, keyId, videoId, id } = operation;
    const transcript = await tables.add.transcript({ video_id: videoId });
    await tables.add.operation({
      ...{ id, account_id: accountId, key_id: keyId, video_id: videoId, transcript_id: transcript },
      ...{ state: 'delivered', settlement: 'settled', charge: 1 },
    });
    return operation;
  };

  it('that has no operation leaves a failed one in its place, which holds no credit and can never be opened', async () => {
    const operation = newOperation();
    expect(await disownIt(operation)).toEqual([]);
    expect(await stateOf(operation.id)).toMatchObject({
      state: 'failed',
      settlement: 'released',
      disowned: true,
    });
    const scope = freshScope(1);
    expect(await open(operation, { scopes: [scope] })).toEqual({ kind: 'disowned' });
    expect(await counted(scope.name)).toEqual({});
    const { id: joined } = await delivered();
    expect(await claimChargeReport(tables.sql, joined, operation.id)).toBe(false);
  });

  it('voids its charge once, though it comes twice at once, and is told none afterwards', async () => {
    const operation = await delivered();
    const voided = (await Promise.all([disownIt(operation), disownIt(operation)])).flat();
    expect(voided).toEqual([operation.id]);
    expect(await stateOf(operation.id)).toMatchObject({ charge: 0, settlement: 'pending', told: null });
    expect(await claimChargeReport(tables.sql, operation.id, operation.id)).toBe(false);
  });

  it('leaves a charge that another request was told, and voids it for that one', async () => {
    const operation = await delivered();
    const joining = { ...operation, id: randomUUID() };
    expect(await claimChargeReport(tables.sql, operation.id, joining.id)).toBe(true);
    expect(await disownIt(operation)).toEqual([]);
    expect(await stateOf(operation.id)).toMatchObject({ charge: 1, told: joining.id });
    expect(await disownIt(joining)).toEqual([operation.id]);
    expect(await claimChargeReport(tables.sql, operation.id, joining.id)).toBe(false);
  });

  it('voids nothing of another video or account that was told under the same id', async () => {
    const operation = await delivered();
    const joining = { ...operation, id: randomUUID() };
    await claimChargeReport(tables.sql, operation.id, joining.id);
    expect(await disownIt({ ...joining, videoId: freshVideo() })).toEqual([]);
    expect(await disownIt({ ...joining, accountId: randomUUID() })).toEqual([]);
    expect(await stateOf(operation.id)).toMatchObject({ charge: 1, settlement: 'settled' });
  });
});
