import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, openLibrary, type TestLibrary } from '../test-support/library.ts';
import { claimInTurn, FIRST_TURN, queueUnsearchable } from './store/library-index.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());
beforeEach(async () => {
  await library.index();
});

/** Transcripts that an account has received before its first search, the oldest first. */
const fillUnsearched = async (count: number): Promise<string> => {
  const account = newAccount();
  for (let n = 0; n < count; n += 1) {
    const { id } = await library.addTranscript([`Sentence ${n} of a large library.`]);
    await library.receiveUnsearched(account, id);
    await library.query(
      `UPDATE library_entries SET received_at = now() - (100 - $2) * interval '1 minute' WHERE transcript_id = $1`,
      [id, n],
    );
  }
  return account;
};
const receiveOne = async (account = newAccount()): Promise<string> => {
  const { id } = await library.addTranscript(['A new delivery.']);
  await library.receive(account, id);
  return id;
};
/** Ends the run after some tries. Resolves to the transcripts in the order in which they were indexed. */
const indexSome = async (count: number): Promise<string[]> => {
  const [order, run] = [[] as string[], new AbortController()];
  await library.index(
    {
      sql: async (text, values) => {
        if (text.includes('SET dictionary')) order.push(String(values?.[0]));
        if (order.length === count) run.abort();
        return library.sql(text, values);
      },
    },
    run.signal,
  );
  return order;
};

describe('what accounts wait for to be indexed', () => {
  it('takes turns by account: a first search of a large library makes no new delivery of another late', async () => {
    const large = await fillUnsearched(30);
    await queueUnsearchable(library.sql, large);
    await library.rows.passTime('unindexed_transcripts', '1 minute');
    const others = [await receiveOne(), await receiveOne()];
    const order = await indexSome(6);
    expect(order.filter((id) => others.includes(id))).toHaveLength(2);
    const first = await library.query<{ transcript_id: string }>(
      'SELECT transcript_id FROM library_entries WHERE account_id = $1 ORDER BY received_at DESC LIMIT 4',
      [large],
    );
    // The account has its turns, too, and its newest transcripts are indexed first.
    const own = order.filter((id) => !others.includes(id));
    expect(own).toEqual(first.map((row) => row.transcript_id).slice(0, own.length));
    expect(own).toHaveLength(4);
  });

  it('takes turns by account also where deliveries wait, and monitors for their words', async () => {
    const busy = newAccount();
    for (let n = 0; n < 12; n += 1) await receiveOne(busy);
    const { jobId, accountId } = await library.addWatch(['delivery']);
    const { id } = await library.addTranscript(['A delivery with words of a monitor.']);
    await library.receiveUnsearched(accountId, id, jobId);
    const one = await receiveOne();
    for (let n = 0; n < 12; n += 1) await receiveOne(busy);
    const turns: (string | undefined)[] = [];
    for (let after = FIRST_TURN; turns.length < 4; ) {
      const claimed = await claimInTurn(library.sql, after);
      turns.push(claimed?.id);
      after = claimed?.accountId ?? FIRST_TURN;
    }
    expect(turns).toEqual(expect.arrayContaining([id, one]));
  });

  it('is indexed in the next turn of the last account that received it, however long the line of another', async () => {
    const large = await fillUnsearched(20);
    await queueUnsearchable(library.sql, large);
    const [oldest] = await library.query<{ transcript_id: string }>(
      'SELECT transcript_id FROM library_entries WHERE account_id = $1 ORDER BY received_at LIMIT 1',
      [large],
    );
    const other = newAccount();
    await library.receive(other, String(oldest?.transcript_id));
    expect(await indexSome(3)).toContain(oldest?.transcript_id);
  });

  it('is claimed without a look at what else waits, by a statement that was planned while nothing did', async () => {
    const client = await library.pool.connect();
    const inSession: typeof library.sql = async (text, values = []) =>
      (await client.query({ name: 'claim', text, values: [...values] })).rows;
    for (let n = 0; n < 6; n += 1) await claimInTurn(inSession, FIRST_TURN);
    await client.query(`
      INSERT INTO unindexed_transcripts (id, account_id, due_at)
      SELECT gen_random_uuid(), md5((n % 3)::text)::uuid, now() + CASE n % 3 WHEN 1 THEN '1 hour' ELSE '-1 second' END::interval
      FROM generate_series(1, 3000) AS n`);
    const countRead = async (): Promise<number> => {
      const text = `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'unindexed_transcripts'`;
      return (await client.query<{ read: number }>(text)).rows[0]?.read ?? 0;
    };
    await client.query('BEGIN');
    const before = await countRead();
    expect(await claimInTurn(inSession, FIRST_TURN)).toBeDefined();
    const read = (await countRead()) - before;
    await client.query('ROLLBACK');
    client.release();
    await library.query('DELETE FROM unindexed_transcripts');
    expect(read).toBeLessThan(20);
  });
});
