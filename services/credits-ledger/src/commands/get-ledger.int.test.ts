import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getLedger, type RequestOf } from '@tds/contracts';
import { callContext, type LedgerUnderTest, startLedger } from '../test-support/ledger-under-test.ts';

jest.setTimeout(60_000); // real servers on a machine that may be busy

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

type Ask = Partial<RequestOf<typeof getLedger>> & { accountId: string };
const read = (ask: Ask) =>
  ledger.call(
    getLedger,
    { keyId: null, readerId: null, limit: 10, offset: 0, asOf: null, ...ask },
    callContext(),
  );

/** `count` reservations, two entries each. */
const charge = async (account_id: string, count: number, key_id: string | null = null) => {
  const items = Array.from({ length: count }, () => ({ account_id, key_id, ref: randomUUID(), amount: 1 }));
  await ledger.database.functions.reserve(items);
  await ledger.database.functions.settle(items.map(({ ref }) => ref));
};
const versions = ({ rows }: { rows: { version: number }[] }) => rows.map(({ version }) => version);
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

/** Reads page by page while entries are appended before every page. */
const readAll = async (ask: Ask, append: () => Promise<void>, isAnchored: boolean) => {
  const found: number[] = [];
  let asOf: number | null = null;
  for (let offset = 0; ; offset += 7) {
    const page = await read({ ...ask, limit: 7, offset, asOf: isAnchored ? asOf : null });
    asOf = page.asOf;
    found.push(...versions(page));
    if (found.length >= page.total) return found;
    await append();
  }
};

describe('the pages of a ledger', () => {
  it.each([
    ['with the first page`s as_of', true],
    ['with limit and offset alone', false],
  ])('read %s neither skip nor repeat an entry while new ones are appended', async (_how, isAnchored) => {
    const accountId = randomUUID();
    await charge(accountId, 10);
    const found = await readAll(
      { accountId, readerId: randomUUID() },
      () => charge(accountId, 2),
      isAnchored,
    );
    expect(found).toEqual(down(21, 1));
  });

  it('of one key do so too, and are counted without the others', async () => {
    const [accountId, one, other] = [randomUUID(), randomUUID(), randomUUID()];
    await charge(accountId, 8, one);
    await charge(accountId, 5, other);
    const append = async () => {
      await charge(accountId, 1, one);
      await charge(accountId, 1, other);
    };
    expect(await readAll({ accountId, keyId: one }, append, true)).toEqual(down(17, 2));
    expect((await read({ accountId, keyId: one })).total).toBe(20);
    expect(await readAll({ accountId, keyId: other, readerId: one }, append, false)).toHaveLength(14);
  });

  it('of two readers are two readings, and a new first page begins at the newest entry', async () => {
    const accountId = randomUUID();
    const [one, other] = [randomUUID(), randomUUID()];
    await charge(accountId, 10);
    await read({ accountId, readerId: one });
    await charge(accountId, 1);
    expect(versions(await read({ accountId, readerId: other }))[0]).toBe(23);
    expect(versions(await read({ accountId, readerId: one, offset: 10 }))).toEqual(down(11, 2));
    expect(versions(await read({ accountId, readerId: other, offset: 10 }))).toEqual(down(13, 4));
    expect(versions(await read({ accountId, readerId: one }))[0]).toBe(23);
    expect(versions(await read({ accountId, readerId: one, offset: 10 }))[0]).toBe(13);
  });

  it('after an hour begin anew', async () => {
    const accountId = randomUUID();
    await charge(accountId, 10);
    await read({ accountId });
    await charge(accountId, 1);
    await ledger.database.admin.query(
      `UPDATE ledger_readings SET begun_at = begun_at - interval '61 minutes' WHERE account_id = $1`,
      [accountId],
    );
    expect(versions(await read({ accountId, offset: 10 }))[0]).toBe(13);
  });

  it('beyond the end are empty, and an as_of of the future is the newest entry', async () => {
    const accountId = randomUUID();
    await charge(accountId, 1);
    expect(await read({ accountId, offset: Number.MAX_SAFE_INTEGER })).toMatchObject({ rows: [], total: 3 });
    expect(await read({ accountId, asOf: 99 })).toMatchObject({ asOf: 3, total: 3 });
    expect(await read({ accountId, asOf: 0 })).toMatchObject({ rows: [], total: 0 });
    expect(await read({ accountId: randomUUID() })).toEqual({
      rows: [],
      asOf: 0,
      total: 0,
      isKnownKey: true,
    });
  });

  it('show what every entry did to every bucket, and who caused it', async () => {
    const [accountId, keyId, ref] = [randomUUID(), randomUUID(), randomUUID()];
    const item = {
      account_id: accountId,
      key_id: keyId,
      ref,
      amount: 3,
      reason: 'transcript',
      request_id: 'r1',
    };
    await ledger.database.functions.reserve([item]);
    await ledger.database.functions.settle([ref]);
    const { rows } = await read({ accountId });
    const same = (value: number) => ({ before: value, after: value });
    expect(rows).toMatchObject([
      {
        version: 3,
        kind: 'settle',
        free: same(97),
        reserved: { before: 3, after: 0 },
        ref,
        keyId,
        reason: null,
      },
      { version: 2, kind: 'reserve', free: { before: 100, after: 97 }, purchased: same(0), requestId: 'r1' },
      { version: 1, kind: 'monthly_grant', free: { before: 0, after: 100 }, reserved: same(0), keyId: null },
    ]);
  });

  it('of a key that the account does not have are none, and say so', async () => {
    const [accountId, keyId] = [randomUUID(), randomUUID()];
    await charge(accountId, 1, keyId);
    expect(await read({ accountId, keyId: randomUUID() })).toMatchObject({ rows: [], isKnownKey: false });
    expect(await read({ accountId: randomUUID(), keyId })).toMatchObject({ rows: [], isKnownKey: false });
  });
});
