import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

const january = new Date('2027-01-20T10:00:00Z');
const february = new Date('2027-02-01T00:00:00Z');

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase({ max: 8 });
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const newJob = (given: { unit?: number; parts?: number } = {}) => ({
  ...{ account_id: randomUUID(), ref: randomUUID(), unit: 1, parts: 10 },
  ...given,
});

describe('a reservation in parts', () => {
  it('holds the whole job, and charges each part once whatever is repeated or overlaps', async () => {
    const { reserveInParts, settleParts } = database.functions;
    const job = newJob({ unit: 3 });
    const held = { outcome: 'reserved', free: 70, reserved: 30, charged: [], remaining: 10 };
    expect(await reserveInParts(job, january)).toMatchObject([held]);
    expect(await reserveInParts(job, january)).toMatchObject([held]);
    expect(await settleParts(job.ref, [2, 7, 7], january)).toMatchObject([
      { outcome: 'settled', free: 70, reserved: 24, charged: [2, 7], remaining: 8, version: 3 },
    ]);
    expect(await settleParts(job.ref, [7, 1, 2], january)).toMatchObject([
      { outcome: 'settled', reserved: 21, charged: [1, 2, 7], remaining: 7, version: 4 },
    ]);
    expect(await settleParts(job.ref, [7], january)).toMatchObject([{ reserved: 21, version: 4 }]);
    expect(await reserveInParts(job, january)).toMatchObject([{ charged: [1, 2, 7], remaining: 7 }]);
  });

  it('is settled with its last part, and as a whole it charges all that are left', async () => {
    const { reserveInParts, settleParts, releaseRest } = database.functions;
    const job = newJob();
    await reserveInParts(job, january);
    await settleParts(job.ref, [4], january);
    const settled = { outcome: 'settled', free: 90, reserved: 0, remaining: 0 };
    expect(await settleParts(job.ref, null, january)).toMatchObject([{ ...settled, version: 4 }]);
    expect(await releaseRest(job.ref, january)).toMatchObject([{ ...settled, version: 4 }]);
    expect(await reserveInParts(job, january)).toMatchObject([{ ...settled, version: 4 }]);
  });

  it('never charges a part after its rest was given back, and says which ones are charged', async () => {
    const { reserveInParts, settleParts, releaseRest } = database.functions;
    const job = newJob();
    await reserveInParts(job, january);
    await settleParts(job.ref, [1, 2], january);
    const released = { outcome: 'released', free: 98, reserved: 0, charged: [1, 2], remaining: 0 };
    expect(await releaseRest(job.ref, january)).toMatchObject([released]);
    expect(await settleParts(job.ref, [1, 2, 3], january)).toMatchObject([released]);
    expect(await reserveInParts(job, january)).toMatchObject([released]);
  });

  it('spends free credits first: what is left of the purchased ones comes back, in any month', async () => {
    const { grant, reserveInParts, settleParts, releaseRest } = database.functions;
    const job = newJob({ unit: 10, parts: 12 });
    await grant(job.account_id, 'purchase', 50, january);
    expect(await reserveInParts(job, january)).toMatchObject([{ free: 0, purchased: 30, reserved: 120 }]);
    await settleParts(job.ref, [1, 2, 3, 4, 5, 6, 7, 8, 9], january);
    expect(await releaseRest(job.ref, february)).toMatchObject([{ free: 100, purchased: 50, reserved: 0 }]);
  });

  it('is refused whole, by the balance and by the cap of its key', async () => {
    const { reserveInParts } = database.functions;
    const job = newJob({ unit: 11 });
    expect(await reserveInParts(job, january)).toMatchObject([{ outcome: 'insufficient', reserved: 0 }]);
    const capped = { ...newJob(), key_id: randomUUID(), daily_cap: 9 };
    expect(await reserveInParts(capped, january)).toMatchObject([{ outcome: 'capped', reserved: 0 }]);
  });

  it('is a conflict under the ref of anything else, and where there are no such parts', async () => {
    const { reserve, reserveInParts, settleParts, release } = database.functions;
    const job = newJob();
    const whole = { account_id: job.account_id, ref: randomUUID(), amount: 10 };
    await reserveInParts(job, january);
    await reserve([whole], january);
    const conflict = [{ outcome: 'conflict', reserved: 20, charged: [], remaining: 0 }];
    expect(await reserveInParts({ ...job, unit: 2, parts: 5 }, january)).toMatchObject(conflict);
    expect(await reserveInParts({ ...job, ref: whole.ref }, january)).toMatchObject(conflict);
    expect(await settleParts(whole.ref, [1], january)).toMatchObject(conflict);
    expect(await settleParts(job.ref, [1, 11], january)).toMatchObject(conflict);
    expect(await reserve([{ ...whole, ref: job.ref }], january)).toMatchObject([{ outcome: 'in_parts' }]);
    expect(await release([job.ref], january)).toMatchObject([{ outcome: 'in_parts', reserved: 20 }]);
  });

  it('holds nothing where its release came first', async () => {
    const { reserveInParts, release, settleParts } = database.functions;
    const job = newJob();
    expect(await settleParts(job.ref, [1], january)).toMatchObject([{ outcome: 'unknown', charged: [] }]);
    await release([job.ref], january);
    expect(await reserveInParts(job, january)).toMatchObject([{ outcome: 'released', free: 100 }]);
    expect(await settleParts(job.ref, [1], january)).toMatchObject([{ outcome: 'released', charged: [] }]);
  });

  it('of 512 parts fits', async () => {
    const { grant, reserveInParts, settleParts } = database.functions;
    const job = newJob({ parts: 512 });
    await grant(job.account_id, 'purchase', 500, january);
    await reserveInParts(job, january);
    expect(await settleParts(job.ref, [512, 1], january)).toMatchObject([
      { charged: [1, 512], remaining: 510, reserved: 510 },
    ]);
  });

  it('is given back once it is charged: each credit of its parts, once', async () => {
    const { reserveInParts, settleParts, releaseRest, refund } = database.functions;
    const job = newJob({ unit: 2 });
    await reserveInParts(job, january);
    await settleParts(job.ref, [1, 5], january);
    expect(await refund(job.ref, january)).toMatchObject([{ outcome: 'unknown' }]);
    await releaseRest(job.ref, january);
    for (const _ of [1, 2]) {
      expect(await refund(job.ref, january)).toMatchObject([{ outcome: 'granted', free: 96, purchased: 4 }]);
    }
  });
});

describe('calls at once', () => {
  it('charge each part once, whatever overlaps, and nothing after the release that one of them is', async () => {
    const { grant, reserveInParts, settleParts, releaseRest } = database.functions;
    const job = newJob({ parts: 400 });
    await grant(job.account_id, 'purchase', 300);
    await reserveInParts(job);
    const calls = Array.from({ length: 160 }, (_, index) => {
      const parts = Array.from({ length: 5 }, () => randomInt(1, 401));
      return index === 120 ? releaseRest(job.ref) : settleParts(job.ref, parts);
    });
    await Promise.all(calls);
    const { rows } = await database.admin.query(
      `SELECT count(*)::integer AS charged, count(DISTINCT part)::integer AS different
       FROM entries, unnest(parts) AS part WHERE account_id = $1`,
      [job.account_id],
    );
    const [{ charged, different }] = rows;
    expect(charged).toBe(different);
    const [after] = await settleParts(job.ref, null);
    expect(after).toMatchObject({ outcome: 'released', reserved: 0 });
    expect(Number(after?.free) + Number(after?.purchased)).toBe(400 - charged);
  });

  it('of reserve and release leave nothing held, whichever is first', async () => {
    const { reserveInParts, release, releaseRest, balance } = database.functions;
    const account_id = randomUUID();
    const jobs = Array.from({ length: 60 }, () => ({ ...newJob({ parts: 1 }), account_id }));
    const give = async (ref: string) => {
      const [answer] = await release([ref]);
      if (answer?.outcome === 'in_parts') await releaseRest(ref);
    };
    await Promise.all(jobs.flatMap((job) => [reserveInParts(job), give(job.ref)]));
    expect(await balance(account_id)).toMatchObject([{ free: 100, reserved: 0 }]);
  });
});
