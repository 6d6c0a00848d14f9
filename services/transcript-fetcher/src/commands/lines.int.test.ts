import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { lineChecks } from '../test-support/line-checks.ts';
import { toRows } from '../test-support/lines.ts';
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

const { newLine, standing, booksAre, counted } = lineChecks(() => fetcher, 20_000);

describe('a line of rows', () => {
  it('is fetched and charged row by row; a failure costs nothing', async () => {
    const [lineId, accountId] = [randomUUID(), randomUUID()];
    const rows = toRows(['manualEn001', 'asrOnlyEn01', 'private_001']);
    const opened = await fetcher.lines.openLine({ lineId, accountId, rows });
    expect(opened).toMatchObject({ unopened: [], refusal: null });
    const changes = await fetcher.lines.waitForEnds(lineId, rows);
    expect(changes.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'failed']);
    await booksAre(accountId, { charged: 2, held: 0 });
  });

  it('is cached for the next line: nothing is held, counted or fetched', async () => {
    const first = newLine();
    await fetcher.lines.openLine(first);
    await fetcher.lines.waitForEnds(first.lineId, first.rows);
    const again = { ...newLine(), rows: toRows(first.rows.map(({ videoId }) => videoId)) };
    await fetcher.lines.openLine(again);
    const changes = await fetcher.lines.waitForEnds(again.lineId, again.rows);
    expect(changes).toMatchObject(Array(3).fill({ state: 'delivered', cache: 'HIT', charge: 0 }));
    expect(await counted(again.accountId)).toBe(0);
    await booksAre(again.accountId, { charged: 0, held: 0 });
  });

  it('opened again after a lost answer is the same: each row is reserved and fetched once', async () => {
    const line = newLine();
    fetcher.ledger.loseAnswer('reserveParts', true);
    await expect(fetcher.lines.openLine(line)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await standing(line)).toEqual(['ready', 'ready', 'ready']);
    fetcher.ledger.loseAnswer('reserveParts', false);
    for (const _ of ['again', 'and again'])
      expect(await fetcher.lines.openLine(line)).toMatchObject({ unopened: [], refusal: null });
    await fetcher.lines.waitForEnds(line.lineId, line.rows);
    await booksAre(line.accountId, { charged: 3, held: 0 });
    expect(await counted(line.accountId)).toBe(3);
  });

  it('opened twice at once is opened once', async () => {
    const line = newLine();
    await Promise.allSettled([fetcher.lines.openLine(line), fetcher.lines.openLine(line)]);
    await fetcher.lines.openLine(line);
    await fetcher.lines.waitForEnds(line.lineId, line.rows);
    await booksAre(line.accountId, { charged: 3, held: 0 });
  });
});

describe('rows beyond a limit', () => {
  it('of credits are not opened, in row order, and the refusal gives the missing credits', async () => {
    const line = newLine(4);
    fetcher.ledger.releaseSlots(line.accountId, 2);
    const opened = await fetcher.lines.openLine(line);
    const [, , third, fourth] = line.rows;
    expect(opened.unopened.toSorted()).toEqual([third?.operationId, fourth?.operationId].toSorted());
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4 });
    await fetcher.lines.waitForEnds(line.lineId, line.rows.slice(0, 2));
    await booksAre(line.accountId, { charged: 2, held: 0 });
    expect(await counted(line.accountId)).toBe(2);
  });

  it('refuse the whole line if full coverage is required: nothing is held or counted', async () => {
    const line = newLine(4);
    fetcher.ledger.releaseSlots(line.accountId, 2);
    const opened = await fetcher.lines.openLine({ ...line, isAccepted: false });
    expect(opened.unopened).toHaveLength(4);
    expect(opened.refusal).toMatchObject({ code: 'insufficient_credits', required: 4 });
    expect(await standing(line)).toEqual([null, null, null, null]);
    await booksAre(line.accountId, { charged: 0, held: 0 });
    expect(await counted(line.accountId)).toBe(0);
    expect(fetcher.ledger.books().balance(line.accountId)).toMatchObject({ free: 2, reserved: 0 });
  });

  it('of the daily cap of the key are not opened, even with full coverage required, and may be tomorrow', async () => {
    const [line, limitId, keyId] = [newLine(3), randomUUID(), randomUUID()];
    fetcher.identity.update({ limitId, dailyCreditCap: 5 });
    fetcher.ledger.use(line.accountId, limitId, 3);
    const opened = await fetcher.lines.openLine({ ...line, keyId, isAccepted: false });
    expect(opened.unopened).toEqual([line.rows[2]?.operationId]);
    expect(opened.refusal).toMatchObject({
      code: 'daily_credit_cap',
      ...{ required: 3, available: 2, message: expect.stringContaining('5 credits a day and has used 3') },
      retryAfterSeconds: expect.any(Number),
    });
    await fetcher.lines.openLine({ ...line, keyId, rows: line.rows.slice(0, 2) });
    await fetcher.lines.waitForEnds(line.lineId, line.rows.slice(0, 2));
  });

  it('of a cap lowered below the usage of the key are not opened; the refusal gives both', async () => {
    const [line, limitId, keyId] = [newLine(3), randomUUID(), randomUUID()];
    fetcher.identity.update({ limitId, dailyCreditCap: 5 });
    fetcher.ledger.use(line.accountId, limitId, 24);
    const opened = await fetcher.lines.openLine({ ...line, keyId, isAccepted: false });
    expect(opened.unopened).toHaveLength(3);
    expect(opened.refusal).toMatchObject({ code: 'daily_credit_cap', required: 3, available: 0 });
    expect(opened.refusal?.message).toContain('5 credits a day and has used 24 of them; this needs 3.');
  });

  it('of cold fetches a day are not opened; the refusal names the limit', async () => {
    const line = newLine(3);
    fetcher.identity.update({ tier: 'free', limitId: null });
    await fetcher.query(`INSERT INTO cold_counts VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 98)`, [
      `key:${line.accountId}`,
    ]);
    const opened = await fetcher.lines.openLine(line);
    expect(opened).toMatchObject({
      unopened: [line.rows[2]?.operationId],
      refusal: { code: 'cold_fetch_cap', retryAfterSeconds: expect.any(Number) },
    });
    await fetcher.lines.waitForEnds(line.lineId, line.rows.slice(0, 2));
    expect(await counted(line.accountId)).toBe(100);
  });

  it.each([
    ['key_revoked', { standing: 'revoked' }],
    ['account_frozen', { accountStatus: 'frozen' }],
    ['account_closed', { accountStatus: 'closed' }],
  ] as const)('because of %s: nothing is opened, not even cached rows', async (code, says) => {
    const line = newLine();
    fetcher.identity.update(says);
    const opened = await fetcher.lines.openLine({ ...line, keyId: randomUUID() });
    expect(opened).toMatchObject({ version: 0, refusal: { code } });
    expect(opened.unopened).toEqual(line.rows.map(({ operationId }) => operationId));
    expect(await standing(line)).toEqual([null, null, null]);
  });

  it('of an account that is frozen at the ledger are not opened or counted', async () => {
    const line = newLine();
    fetcher.ledger.fail('reserveParts', 'account_frozen');
    const opened = await fetcher.lines.openLine(line);
    fetcher.ledger.fail('reserveParts', null);
    expect(opened).toMatchObject({ refusal: { code: 'account_frozen' } });
    expect(opened.unopened).toHaveLength(3);
    expect([await standing(line), await counted(line.accountId)]).toEqual([[null, null, null], 0]);
  });

  it('of a stopped line are never opened', async () => {
    const line = newLine();
    await fetcher.lines.haltLine(line.lineId, line.accountId);
    const opened = await fetcher.lines.openLine(line);
    expect(opened).toMatchObject({ refusal: { code: 'job_cancelled' } });
    expect(opened.unopened).toHaveLength(3);
    await booksAre(line.accountId, { charged: 0, held: 0 });
  });
});

describe('a key that is revoked at once', () => {
  const revoke = (accountId: string, keyId: string, atOnce = true) =>
    fetcher
      .handlers()
      .subscriptions.keyRevoked(
        { accountId, keyId, atOnce, keyDigest: 'a'.repeat(64) },
        testContext() as never,
      );

  it('has no row begun any more, though its job is not halted; what has begun is delivered', async () => {
    const line = { ...newLine(100), keyId: randomUUID() };
    const release = fetcher.simulator.hold();
    await fetcher.lines.openLine(line);
    await revoke(line.accountId, randomUUID());
    await revoke(line.accountId, line.keyId, false);
    expect(await standing(line)).not.toContain('cancelled');
    await revoke(line.accountId, line.keyId);
    const states = await standing(line);
    expect(new Set(states)).toEqual(new Set(['cancelled', 'fetching']));
    release();
    await booksAre(line.accountId, {
      charged: states.filter((state) => state === 'fetching').length,
      held: 0,
    });
  });
});

describe('while the ledger is away', () => {
  it('nothing begins; the same call begins it once when the ledger is back', async () => {
    const line = newLine();
    fetcher.ledger.setAway(true);
    await expect(fetcher.lines.openLine(line)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(new Set(await standing(line))).toEqual(new Set(['ready']));
    fetcher.ledger.setAway(false);
    await fetcher.lines.openLine(line);
    await fetcher.lines.waitForEnds(line.lineId, line.rows);
    await booksAre(line.accountId, { charged: 3, held: 0 });
  });

  it('begun rows are delivered, and charged when the ledger is back', async () => {
    const line = newLine();
    const release = fetcher.simulator.hold();
    await fetcher.lines.openLine(line);
    fetcher.ledger.setAway(true);
    release();
    await fetcher.lines.waitForEnds(line.lineId, line.rows);
    expect(fetcher.ledger.count('charged', line.accountId)).toBe(0);
    fetcher.ledger.setAway(false);
    await fetcher.query('UPDATE settlements SET due_at = now(), lease_until = NULL');
    await booksAre(line.accountId, { charged: 3, held: 0 });
  });

  it('a halted round is released later; an unknown round never holds credits', async () => {
    const line = newLine();
    fetcher.ledger.setAway(true);
    await fetcher.lines.openLine(line).catch(() => null);
    await fetcher.lines.haltLine(line.lineId, line.accountId);
    fetcher.ledger.setAway(false);
    await fetcher.query('UPDATE settlements SET due_at = now(), lease_until = NULL');
    await eventually(async () => expect(await fetcher.query('SELECT FROM settlements')).toEqual([]));
    const { requests: asked } = fetcher.ledger;
    const late = asked.findLast(({ jobId }) => jobId === line.lineId);
    if (!late) throw new Error('the ledger was asked');
    expect(fetcher.ledger.books().reserve(late).held).toEqual([]);
    expect(await counted(line.accountId)).toBe(0);
  });
});
