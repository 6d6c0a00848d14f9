import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lineChecks } from '../test-support/line-checks.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.ledger.setAway(false);
  fetcher.identity.update({});
  fetcher.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY);
});

const { newLine, standing, booksAre, counted } = lineChecks(() => fetcher, 25_000);

describe('rows of a job that is not accepted yet', () => {
  it('are held and counted, and begin only when opened as accepted', async () => {
    const [line, other] = [newLine(), newLine()];
    expect(await fetcher.lines.openLine({ ...line, isAccepted: false })).toMatchObject({ unopened: [] });
    await fetcher.lines.openLine({ ...line, isAccepted: false });
    await booksAre(line.accountId, { charged: 0, held: 3 });
    // Later lines are served meanwhile, even of the same account.
    const sibling = { ...other, accountId: line.accountId };
    await fetcher.lines.openLine(sibling);
    await fetcher.lines.waitForEnds(sibling.lineId, sibling.rows);
    expect(await standing(line)).toEqual(['ready', 'ready', 'ready']);
    expect(await fetcher.lines.versions([line.lineId])).toMatchObject([{ openRows: 0 }]);
    await fetcher.lines.openLine(line);
    await fetcher.lines.waitForEnds(line.lineId, line.rows);
    await booksAre(line.accountId, { charged: 6, held: 0 });
  });

  it('are released and not charged if the job is disowned instead', async () => {
    const line = newLine();
    await fetcher.lines.openLine({ ...line, isAccepted: false });
    await fetcher.lines.disownLine(line.lineId, line.accountId);
    await booksAre(line.accountId, { charged: 0, held: 0 });
    expect(await counted(line.accountId)).toBe(0);
    await fetcher.lines.openLine(line);
    expect(await standing(line)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });
});

describe('cold rows of a new job', () => {
  it.each([
    ['little room for', 98],
    ['no room for', 100],
  ])('have to be covered even if a daily cap leaves %s them', async (_room, begun) => {
    const line = newLine(4);
    fetcher.identity.update({ tier: 'free', limitId: null });
    fetcher.ledger.releaseSlots(line.accountId, 2);
    await fetcher.query(`INSERT INTO cold_counts VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)`, [
      `key:${line.accountId}`,
      begun,
    ]);
    const opened = await fetcher.lines.openLine({ ...line, isAccepted: false });
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4, available: 2 });
    expect(opened.unopened).toHaveLength(4);
    expect(await counted(line.accountId)).toBe(begun);
    await booksAre(line.accountId, { charged: 0, held: 0 });
  });

  it('have to be covered even if the daily cap of the key leaves little room', async () => {
    const [line, limitId, keyId] = [newLine(4), randomUUID(), randomUUID()];
    fetcher.identity.update({ limitId, dailyCreditCap: 2 });
    fetcher.ledger.releaseSlots(line.accountId, 3);
    const opened = await fetcher.lines.openLine({ ...line, keyId, isAccepted: false });
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4, available: 3 });
    await booksAre(line.accountId, { charged: 0, held: 0 });
  });
});
