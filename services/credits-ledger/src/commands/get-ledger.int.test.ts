import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, type RequestOf } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

type LedgerQuery = Partial<RequestOf<typeof creditsLedger.getLedger>> & { accountId: string };
const read = (ask: LedgerQuery) =>
  ledger.call(
    creditsLedger.getLedger,
    { keyId: null, jobId: null, limit: 10, offset: 0, asOf: null, ...ask },
    testContext(),
  );

/** `count` deliveries: a hold and a charge each. */
const charge = async (account_id: string, count: number, key_id: string | null = null) => {
  const items = Array.from({ length: count }, () => ({ account_id, key_id, ref: randomUUID(), unit: 1 }));
  await ledger.database.functions.reserve(items);
  await ledger.database.functions.settle(items.map(({ ref }) => ref));
};
const versions = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);
const readAllPages = async (ask: LedgerQuery) => versions(await read({ ...ask, limit: 200 }));

/** Reads page by page and appends lines before every page. */
const readAll = async (ask: LedgerQuery, append: () => Promise<void>) => {
  const found: string[] = [];
  let asOf: number | null = null;
  for (let offset = 0; ; offset += 7) {
    const page = await read({ ...ask, limit: 7, offset, asOf });
    asOf = page.asOf;
    found.push(...versions(page));
    if (found.length >= page.total) return found;
    await append();
  }
};
const sumAmounts = (rows: { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0);

describe('the pages of a ledger', () => {
  it('with the as_of of the first page neither skip nor repeat a line while lines are appended', async () => {
    const accountId = randomUUID();
    await charge(accountId, 19);
    const before = await readAllPages({ accountId });
    expect(await readAll({ accountId }, () => charge(accountId, 2))).toEqual(before);
    expect(before).toHaveLength(20);
  });

  it('of one key do so too, and count only its lines', async () => {
    const [accountId, one, other] = [randomUUID(), randomUUID(), randomUUID()];
    await charge(accountId, 16, one);
    await charge(accountId, 5, other);
    const before = await readAllPages({ accountId, keyId: one });
    const append = async () => {
      await charge(accountId, 1, one);
      await charge(accountId, 1, other);
    };
    expect(await readAll({ accountId, keyId: one }, append)).toEqual(before);
    expect(before).toHaveLength(16);
    expect(await read({ accountId, keyId: one })).toMatchObject({ total: 18, asOf: 26 });
    expect((await read({ accountId, keyId: other })).total).toBe(7);
  });

  it('are independent: an offset without as_of counts from now, after any earlier read', async () => {
    const accountId = randomUUID();
    await charge(accountId, 12);
    await read({ accountId, limit: 5 });
    await charge(accountId, 3);
    const now = await readAllPages({ accountId });
    expect(versions(await read({ accountId, limit: 5, offset: 5 }))).toEqual(now.slice(5, 10));
  });

  it('beyond the end are empty; a future as_of is the newest line', async () => {
    const accountId = randomUUID();
    await charge(accountId, 1);
    expect(await read({ accountId, offset: Number.MAX_SAFE_INTEGER })).toMatchObject({ rows: [], total: 2 });
    expect(await read({ accountId, asOf: 99 })).toMatchObject({ asOf: 2, total: 2 });
    expect(await read({ accountId, asOf: 0 })).toMatchObject({ rows: [], total: 0 });
    expect(await read({ accountId: randomUUID() })).toEqual({
      rows: [],
      asOf: 0,
      total: 0,
      seal: null,
      isKnownKey: true,
    });
  });
});

describe('the seal of a page', () => {
  it('is that of its newest line for ever, on every page and for every key; null until that is sealed', async () => {
    const [accountId, keyId] = [randomUUID(), randomUUID()];
    await charge(accountId, 2, keyId);
    expect(await read({ accountId })).toMatchObject({ asOf: 3, seal: null });
    await eventually(async () => {
      await ledger.database.app.query('SELECT seal_entries(10000)');
      expect((await read({ accountId })).seal).toMatch(/^[0-9a-f]{64}$/);
    });
    const { seal } = await read({ accountId });
    const { rows } = await ledger.database.admin.query(
      `SELECT encode(hash, 'hex') AS hash FROM entry_seals WHERE account_id = $1 ORDER BY version DESC LIMIT 1`,
      [accountId],
    );
    expect(rows).toEqual([{ hash: seal }]);
    await charge(accountId, 1);
    for (const page of [{ offset: 2 }, { keyId }]) {
      expect((await read({ accountId, asOf: 3, ...page })).seal).toBe(seal);
    }
    expect((await read({ accountId, asOf: 2 })).seal).not.toBe(seal);
  });
});

describe('the lines of a ledger', () => {
  it('show a delivery once, with its subject, author and change of every bucket', async () => {
    const [accountId, keyId, ref] = [randomUUID(), randomUUID(), randomUUID()];
    const subject = { video_id: 'manualEn001', language: 'de' };
    await ledger.requests.reserve({ accountId, keyId, ref, unit: 3, requestId: 'r1', subject });
    expect((await read({ accountId })).rows).toMatchObject([{ kind: 'monthly_grant' }]);
    await ledger.requests.charge(ref);
    const { rows } = await read({ accountId });
    const same = (value: number) => ({ before: value, after: value });
    expect(rows).toMatchObject([
      {
        ...{
          id: '3',
          kind: 'delivery',
          reference: ref,
          key_id: keyId,
          reason: 'transcript',
          request_id: 'r1',
        },
        ...{ ...subject, job_id: null, rows: null, q: null, type: null, amount: -3 },
        ...{ balance: { before: 100, after: 97 }, free: same(97), reserved: { before: 3, after: 0 } },
      },
      {
        ...{ id: '1', kind: 'monthly_grant', key_id: null, video_id: null, language: null, amount: 100 },
        ...{ balance: { before: 0, after: 100 }, free: { before: 0, after: 100 }, reserved: same(0) },
      },
    ]);
  });

  it('show the job and the number of rows, and the words of a search', async () => {
    const [account_id, job_id] = [randomUUID(), randomUUID()];
    const { reserve, settle, settleItems } = ledger.database.functions;
    const subject = { q: 'old films', type: 'channel' };
    const page = { account_id, ref: randomUUID(), unit: 1, reason: 'search', subject };
    const job = { account_id, ref: randomUUID(), unit: 1, reason: 'transcript', job_id, items: [1, 2, 3] };
    await reserve([page, job]);
    await settle([page.ref]);
    await settleItems(job.ref, [1, 3]);
    expect((await read({ accountId: account_id })).rows).toMatchObject([
      { kind: 'delivery', job_id, rows: 2, q: null, amount: -2 },
      { kind: 'delivery', job_id: null, rows: null, ...subject, amount: -1 },
      { kind: 'monthly_grant' },
    ]);
  });

  it('add up to the credits of the account, without holds and releases', async () => {
    const accountId = randomUUID();
    const { reserve, release, grant } = ledger.database.functions;
    await charge(accountId, 3);
    await grant(accountId, 'purchase:1', 20);
    await reserve([
      { account_id: accountId, ref: `${accountId} back`, unit: 5 },
      { account_id: accountId, ref: `${accountId} held`, unit: 7 },
    ]);
    await release([`${accountId} back`]);
    const { rows } = await read({ accountId });
    expect(rows.map(({ kind }) => kind)).toEqual([
      'grant',
      'delivery',
      'delivery',
      'delivery',
      'monthly_grant',
    ]);
    expect(sumAmounts(rows)).toBe(117);
  });

  it('show free credits that came back too late as a loss, among the lines of the key', async () => {
    const [accountId, keyId] = [randomUUID(), randomUUID()];
    const { reserve, release } = ledger.database.functions;
    const items = [{ account_id: accountId, key_id: keyId, ref: `${accountId} late`, unit: 4 }];
    await reserve(items, new Date('2027-01-31T23:59:59Z'));
    await release([`${accountId} late`], new Date('2027-02-01T00:00:01Z'));
    const { rows, total } = await read({ accountId, keyId });
    expect([rows, total]).toMatchObject([[{ kind: 'expiry', amount: -4 }], 1]);
    expect(sumAmounts((await read({ accountId })).rows)).toBe(100);
  });

  it('of a key of another account are empty, and the key is unknown', async () => {
    const [accountId, keyId] = [randomUUID(), randomUUID()];
    await charge(accountId, 1, keyId);
    expect(await read({ accountId, keyId: randomUUID() })).toMatchObject({ rows: [], isKnownKey: false });
    expect(await read({ accountId: randomUUID(), keyId })).toMatchObject({ rows: [], isKnownKey: false });
  });
});
