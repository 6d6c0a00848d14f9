import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proven } from '@tds/test-kit';
import { buildStatement, type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

/** Operations of each of ten callers: an even number, whose half is settled. */
const OPERATIONS = proven(6, 100);

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase({ max: 8 });
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

describe('a cut connection', () => {
  it('before the commit leaves nothing, and the repeat by ref reserves once', async () => {
    const item = { account_id: randomUUID(), ref: randomUUID(), unit: 10 };
    const client = await database.app.connect();
    // The pool ignores errors of a client that is checked out.
    client.on('error', () => {});
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await client.query(buildStatement({ kind: 'reserve', ...item }));
    await database.admin.query('SELECT pg_terminate_backend($1, 5000)', [rows[0].pid]);
    await expect(client.query('COMMIT')).rejects.toThrow();
    client.release(true);

    expect(await database.functions.balance(item.account_id)).toMatchObject([{ free: 100, version: 1 }]);
    for (const _ of [1, 2]) {
      const answers = await database.functions.reserve([item]);
      expect(answers).toMatchObject([{ outcome: 'reserved', free: 90, reserved: 10, version: 2 }]);
    }
  });

  it('repeated under load: every operation happens once', async () => {
    const { functions } = database;
    const accounts = Array.from({ length: 5 }, () => randomUUID());
    let cuts = 0;
    let progress = Promise.withResolvers<void>();
    const untilAnswered = async <T>(operation: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          const answer = await operation();
          progress.resolve();
          return answer;
        } catch (error) {
          if (!/terminat|connection|ECONN/i.test(String(error))) throw error;
          cuts += 1;
        }
      }
    };
    let isOver = false;
    const cutting = (async () => {
      while (!isOver) {
        await database.admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE usename = 'credits_ledger_app' AND datname = current_database() ORDER BY random() LIMIT 2`,
        );
        // Cuts again only after progress.
        progress = Promise.withResolvers();
        if (!isOver) await progress.promise;
      }
    })();
    const worker = async (index: number) => {
      const account_id = accounts[index % accounts.length]!;
      for (let i = 0; i < OPERATIONS; i++) {
        const ref = `${account_id}:${index}:${i}`;
        await untilAnswered(() => functions.reserve([{ account_id, ref, unit: 1 }]));
        await untilAnswered(() => (i % 2 ? functions.settle([ref]) : functions.release([ref])));
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => worker(index)));
    isOver = true;
    progress.resolve();
    await cutting;
    expect(cuts).toBeGreaterThan(5);
    for (const account of accounts) {
      expect(await untilAnswered(() => functions.balance(account))).toMatchObject([
        { free: 100 - OPERATIONS, reserved: 0 },
      ]);
    }
  });
});

describe('an account locked by another transaction', () => {
  it('is busy and unchanged, and others are served', async () => {
    const { functions } = database;
    const [held, alsoHeld, free] = [randomUUID(), randomUUID(), randomUUID()];
    const refs = [held, alsoHeld, free].map((account_id) => ({ account_id, ref: randomUUID(), unit: 2 }));
    await functions.reserve(refs);
    const holder = await database.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM accounts WHERE account_id = ANY ($1) FOR UPDATE', [[held, alsoHeld]]);
      const again = refs.map((item) => ({ ...item, ref: randomUUID() }));
      for (const answers of [
        await functions.reserve(again),
        await functions.settle(refs.map(({ ref }) => ref)),
      ]) {
        expect(answers.slice(0, 2)).toMatchObject([{ outcome: 'busy' }, { outcome: 'busy' }]);
        expect(answers[2]).toMatchObject({ account_id: free, free: 96 });
      }
      const held1 = refs[0]!;
      expect(await functions.release([held1.ref])).toMatchObject([{ outcome: 'busy', account_id: held }]);
      expect(await functions.grant(held, 'purchase', 5)).toMatchObject([{ outcome: 'busy' }]);
      expect(await functions.open(held, new Date())).toMatchObject([{ outcome: 'busy' }]);
      await expect(functions.setStatus(held, 'frozen', 1)).rejects.toMatchObject({ code: '55P03' });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    for (const account of [held, alsoHeld]) {
      expect(await functions.balance(account)).toMatchObject([{ free: 98, reserved: 2, version: 2 }]);
    }
  });
});
