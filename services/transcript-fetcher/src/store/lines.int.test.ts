import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freshVideos, newSteps, type Steps, toEnd, toOpening, toRows } from '../test-support/rows.ts';
import { openTables, type Tables } from '../test-support/tables.ts';
import { disownLine, findLine, haltLine, readChanges, reopenRows } from './lines.ts';
import type { Opening } from './rows.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());
beforeEach(() => steps.endWaitingRows());

const idsOf = ({ rows }: Pick<Opening, 'rows'>) => rows.map(({ id }) => id);
const ownedOf = ({ lineId, accountId }: Opening) => ({ lineId: String(lineId), accountId });
const halt = (line: Opening, state: 'held' | 'stopped' = 'stopped', accountId = line.accountId) =>
  haltLine(tables.sql, { ...ownedOf(line), accountId }, state);
const stateOf = async ({ lineId }: Opening) => (await findLine(tables.sql, String(lineId)))?.state;
const readPage = (line: Opening, after = { version: 0, position: -1 }, most = 500) =>
  readChanges(tables.sql, String(line.lineId), after, most);

describe('holding a round', () => {
  it('puts held rows in line; the others are deleted and not counted', async () => {
    const opening = toOpening();
    await steps.open(opening);
    expect(await steps.claim(8)).toBeNull();
    expect(await steps.hold(opening, [1, 3])).toEqual([opening.rows[1]?.id]);
    expect(await steps.counts(opening)).toEqual([2]);
    expect(await steps.find(idsOf(opening))).toHaveLength(2);
    expect((await steps.claim(8))?.rows).toBe(2);
  });

  it('happens once: a repeat or another round changes nothing', async () => {
    const opening = toOpening();
    await steps.open(opening);
    expect(await steps.hold({ ...opening, round: randomUUID() }, [])).toEqual([]);
    expect(await steps.hold(opening)).toEqual([]);
    expect(await steps.hold(opening, [])).toEqual([]);
    expect(await steps.states(idsOf(opening))).toEqual(['ready', 'ready', 'ready']);
    expect(await steps.counts(opening)).toEqual([3]);
  });

  it('returns the same to two concurrent callers, whichever deleted the others', async () => {
    const opening = toOpening();
    await steps.open(opening);
    const [first, second] = await Promise.all([steps.hold(opening, [2]), steps.hold(opening, [2])]);
    const gone = [opening.rows[0]?.id, opening.rows[2]?.id].toSorted();
    expect([first.toSorted(), second.toSorted()]).toEqual([gone, gone]);
    expect(await steps.counts(opening)).toEqual([1]);
  });

  it('restores nothing if the line was stopped during the reservation', async () => {
    const opening = toOpening();
    await steps.open(opening);
    const { settlement } = await halt(opening);
    expect(settlement.rounds).toMatchObject([{ ref: opening.round, charge: [], release: [1, 2, 3] }]);
    expect(await steps.hold(opening)).toEqual([]);
    expect(await steps.claim(8)).toBeNull();
    expect(await steps.counts(opening)).toEqual([0]);
  });
});

describe('a halted line', () => {
  it('ends rows that have not begun, releases their credits, at one version; begun rows continue and count', async () => {
    const line = await steps.readyLine();
    const claim = await steps.claim(1);
    expect(claim?.rows).toBe(1);
    const { version, settlement } = await halt(line);
    expect(await steps.states(idsOf(line))).toEqual(['fetching', 'cancelled', 'cancelled']);
    expect(settlement.rounds).toEqual([
      {
        ref: line.round,
        lane: 1,
        line_id: line.lineId,
        account_id: line.accountId,
        key_id: null,
        charge: [],
        release: [2, 3],
      },
    ]);
    expect(await steps.settlement(settlement.id)).toEqual(settlement.rounds);
    expect(await steps.counts(line)).toEqual([1]);
    const changes = await readPage(line);
    expect(changes.filter((row) => row.version === version).map(({ position }) => position)).toEqual([1, 2]);
    const [begun] = claim?.begun ?? [];
    if (!begun) throw new Error('a row had its turn');
    const { ended } = await steps.end([toEnd(begun)]);
    expect(ended).toMatchObject([{ id: line.rows[0]?.id, charge: 1 }]);
  });

  it('changes nothing on a repeat, and returns the same', async () => {
    const line = await steps.readyLine();
    const first = await halt(line);
    const second = await halt(line);
    expect(second.settlement.rounds).toEqual([]);
    expect(second.version).toBeGreaterThan(Number(first.version));
    expect(await steps.counts(line)).toEqual([0]);
  });

  it('has two attempts at one row that ended together on one page of changes', async () => {
    const line = await steps.readyLine({ rows: toRows(freshVideos(1)) });
    const again = { ...line, round: randomUUID(), rows: toRows(freshVideos(1)) };
    await steps.open(again);
    await steps.hold(again);
    await halt(line);
    const changes = await readPage(line, { version: 0, position: -1 }, 1);
    expect(changes.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...idsOf(line), ...idsOf(again)].toSorted(),
    );
  });

  it('stays stopped for ever, even before its first row; held, it may be opened again', async () => {
    const line = toOpening();
    expect((await halt(line)).version).toBeGreaterThan(0);
    await halt(line, 'held');
    expect(await stateOf(line)).toBe('stopped');
    await steps.open(line);
    expect(await stateOf(line)).toBe('stopped');
    const held = await steps.readyLine();
    await halt(held, 'held');
    expect(await stateOf(held)).toBe('held');
    await steps.open({ ...held, round: randomUUID(), rows: toRows(freshVideos(1), { position: 7 }) });
    expect(await stateOf(held)).toBe('open');
    await halt(held);
  });

  it('is not changed by another account, which gets no version', async () => {
    const line = await steps.readyLine();
    expect(await halt(line, 'stopped', randomUUID())).toMatchObject({
      version: null,
      settlement: { rounds: [] },
    });
    expect(await steps.states(idsOf(line))).toEqual(['ready', 'ready', 'ready']);
    expect(await stateOf(line)).toBe('open');
    await halt(line);
  });

  it('releases each round under its own ref, and uncounts each on its own day', async () => {
    const line = await steps.readyLine();
    const next = {
      ...line,
      round: randomUUID(),
      rows: toRows(freshVideos(2)).map((row) => ({ ...row, position: row.position + 10 })),
      scopes: [{ name: `key:${randomUUID()}`, limit: 9 }],
    };
    await steps.open(next);
    await steps.hold(next);
    const { settlement } = await halt(line);
    const byRef = new Map(settlement.rounds.map(({ ref, release: parts }) => [ref, parts]));
    expect([byRef.get(line.round), byRef.get(next.round)]).toEqual([
      [1, 2, 3],
      [11, 12],
    ]);
    expect([await steps.counts(line), await steps.counts(next)]).toEqual([[0], [0]]);
  });
});

describe('a disowned line', () => {
  it('releases its charges once; rows that end later cost nothing', async () => {
    const line = await steps.readyLine();
    const { begun = [] } = (await steps.claim(2)) ?? {};
    const [first, second] = line.rows.map(({ videoId }) => begun.find((each) => each.videoId === videoId));
    if (!first || !second) throw new Error('two rows had their turn');
    await steps.end([toEnd(first)]);
    for (const _ of ['once', 'again']) {
      await halt(line);
      await disownLine(tables.sql, ownedOf(line));
    }
    const refunds = await tables.query<{ round: object }>(
      `SELECT jsonb_array_elements(rounds) AS round FROM settlements WHERE rounds @> $1::jsonb AND NOT rounds @> $2::jsonb`,
      [JSON.stringify([{ ref: line.round, release: [1] }]), JSON.stringify([{ charge: [1] }])],
    );
    expect(refunds).toHaveLength(1);
    const { ended, settlement } = await steps.end([toEnd(second)]);
    expect(ended).toMatchObject([{ charge: 0 }]);
    expect(settlement).toMatchObject([{ charge: [], release: [2] }]);
    expect((await steps.find(idsOf(line))).map(({ charge }) => charge)).toEqual([0, 0, 0]);
  });

  it('is not changed by another account', async () => {
    const line = await steps.readyLine({ rows: toRows(freshVideos(1)) });
    const [begun] = (await steps.claim(1))?.begun ?? [];
    if (!begun) throw new Error('a row had its turn');
    await steps.end([toEnd(begun)]);
    await disownLine(tables.sql, { ...ownedOf(line), accountId: randomUUID() });
    expect(await steps.find(idsOf(line))).toMatchObject([{ charge: 1 }]);
  });
});

describe('a row with lost cues', () => {
  it('is fetched again at no charge on its turn, unless it was charged or its line is not open', async () => {
    const line = await steps.readyLine({ rows: toRows(freshVideos(2)) });
    const { begun = [] } = (await steps.claim(2)) ?? {};
    const [first, second] = line.rows.map(({ videoId }) => begun.find((each) => each.videoId === videoId));
    if (!first || !second) throw new Error('two rows had their turn');
    const cachedId = await tables.add.transcript({ video_id: second.videoId });
    await steps.end([toEnd(first), toEnd(second, { track: null, file: null, selection: null, cachedId })]);
    await reopenRows(tables.sql, String(line.lineId), idsOf(line));
    expect(await steps.states(idsOf(line))).toEqual(['delivered', 'ready']);
    expect((await steps.claim(2))?.begun).toMatchObject([{ videoId: second.videoId }]);
    expect(await steps.find(idsOf(line))).toMatchObject([{ charge: 1 }, { price: 0, state: 'fetching' }]);
  });

  it('that was cached meanwhile has neither credit nor count to release', async () => {
    const line = await steps.readyLine({ rows: toRows(freshVideos(1)) });
    const [begun] = (await steps.claim(1))?.begun ?? [];
    if (!begun) throw new Error('a row had its turn');
    const cachedId = await tables.add.transcript({ video_id: begun.videoId });
    await steps.end([toEnd(begun, { track: null, file: null, selection: null, cachedId })]);
    await reopenRows(tables.sql, String(line.lineId), idsOf(line));
    expect((await halt(line)).settlement.rounds).toEqual([]);
    expect(await steps.counts(line)).toEqual([1]);
  });

  it('stays as it was if its line was stopped', async () => {
    const video_id = String(freshVideos(1)[0]);
    await tables.add.selection({ video_id, transcript_id: await tables.add.transcript({ video_id }) });
    const line = toOpening({ rows: toRows([video_id]) });
    await steps.open(line);
    await halt(line);
    await reopenRows(tables.sql, String(line.lineId), idsOf(line));
    expect(await steps.states(idsOf(line))).toEqual(['delivered']);
  });
});
