import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import { transcriptFetcher } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { copyDatabase, eventually } from '@tds/test-kit';
import { startTestSystem, type TestSystem, waitingRows } from '#support/testing';
import { killProcesses, startDying, startProcess } from './service-process.ts';

const DAYS = 31;
const SLOTS = 60;
const SLOT_MS = 600_000;
const DAY_MS = 86_400_000;
const OUTAGE_SLOTS = 24;
const within = { everyMs: 500 };

let system: TestSystem;
beforeAll(async () => {
  // The status service runs as processes of its own, which die.
  system = await startTestSystem();
  await system.replaceServices(['status']);
});
afterAll(async () => {
  killProcesses();
  await system?.stop();
});

const databaseOf = (service: string) => {
  const database = system.databases[service];
  if (!database) throw new Error(`there is no database of ${service}`);
  return database;
};
const query = <Row>(service: string, sql: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(databaseOf(service).adminUrl, async (client) => (await client.query(sql, values)).rows as Row[]);

/** The month that ended the day before yesterday. */
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const days = Array.from({ length: DAYS }, (_, index) => today - (DAYS + 1 - index) * DAY_MS);
const nameOf = (day: number) => new Date(day).toISOString().slice(0, 10);

/** The bad slots of each day as one instance reports them; every third day another one saw some of them work. */
const badSlots = (index: number) => 18 + (index % 13);
const savedSlots = (index: number) => (index % 3 === 0 ? 4 : 0);
const isOutage = (index: number) => badSlots(index) - savedSlots(index) >= OUTAGE_SLOTS;

type Observation = { day: number; slot: number; healthy: boolean; instance: string };
const [first, second] = [randomUUID(), randomUUID()];

/** What two instances saw: with a gap after the last slot, and an instance that slept through most of it. */
const observations = days.flatMap((day, index): Observation[] => [
  ...Array.from({ length: SLOTS }, (_, slot) => ({
    day,
    slot,
    healthy: slot >= badSlots(index),
    instance: first,
  })),
  ...Array.from({ length: savedSlots(index) }, (_, slot) => ({ day, slot, healthy: true, instance: second })),
]);

/** Every third report comes twice, under ids of their own; those of a day come in any order. */
const tell = async (given: readonly Observation[]): Promise<void> => {
  const reports = [...given, ...given.filter((_, index) => index % 3 === 0)].toSorted(
    (one, other) => ((one.slot * 7) % 11) - ((other.slot * 7) % 11),
  );
  const payloads = reports.map(({ day, slot, healthy, instance }) => ({
    instance,
    observedAt: new Date(day + slot * SLOT_MS + SLOT_MS / 2).toISOString(),
    strategies: [
      { strategy: 'android', exit: 'direct', healthy },
      { strategy: 'web', exit: 'direct', healthy: false },
    ],
    capacity: 'open',
  }));
  await query(
    'transcript-fetcher',
    'SELECT count(messaging.emit($1, payload)) FROM jsonb_array_elements($2::jsonb) AS payload',
    [transcriptFetcher.strategyObserved.subject, JSON.stringify(payloads)],
  );
};

type Account = {
  readonly id: string;
  readonly status: 'active' | 'frozen' | 'closed';
  readonly perDay: number;
};
const accounts: readonly Account[] = [
  { id: randomUUID(), status: 'active', perDay: 9 },
  { id: randomUUID(), status: 'active', perDay: 10 },
  { id: randomUUID(), status: 'active', perDay: 137 },
  { id: randomUUID(), status: 'frozen', perDay: 25 },
  { id: randomUUID(), status: 'closed', perDay: 50 },
];
/** What deliveries of a day cost an account. */
const chargedOn = ({ perDay }: Account, index: number) => perDay + (index % 7);

const seedLedger = async (): Promise<void> => {
  for (const account of accounts) {
    await query('credits-ledger', 'SELECT open_account($1, now())', [account.id]);
    if (account.status !== 'active')
      await query('credits-ledger', 'SELECT set_account_status($1, $2, 1)', [account.id, account.status]);
    for (const [index, day] of days.entries())
      await query(
        'credits-ledger',
        'INSERT INTO key_days (account_id, day, key_id, credits_used, credits_charged) VALUES ($1, $2, $3, $4, $4)',
        [account.id, nameOf(day), randomUUID(), chargedOn(account, index)],
      );
  }
};

const expected = accounts
  .filter(({ status }) => status !== 'closed')
  .flatMap((account) =>
    days.flatMap((day, index) => {
      const credits = Math.floor(chargedOn(account, index) / 10);
      return isOutage(index) && credits > 0 ? [`outage:${account.id}:${nameOf(day)} ${credits}`] : [];
    }),
  )
  .toSorted();
const given = async () =>
  (
    await query<{ text: string }>(
      'credits-ledger',
      `SELECT ref || ' ' || purchased_delta AS text FROM entries WHERE kind = 'grant' AND reason = 'outage'`,
    )
  )
    .map(({ text }) => text)
    .toSorted();
const paysExactly = () => eventually(async () => expect(await given()).toEqual(expected), within);

const countOf = async (sql: string) => Number((await query<{ count: string }>('status', sql))[0]?.count);
/** Of the month: others have observed today. */
const SLOTS_OF_MONTH = `SELECT count(*) FROM slots WHERE slot_at < now() - interval '1 day'`;
const observed = (count: number) =>
  eventually(async () => expect(await countOf(SLOTS_OF_MONTH)).toBe(count), within);
const evaluateNow = () =>
  waitingRows(system, 'status').makeDue('messaging.schedules', { where: "name = 'evaluate-days'" });
const outages = days.filter((_, index) => isOutage(index)).length;
const evaluated = () =>
  eventually(
    async () => expect(await countOf('SELECT count(*) FROM evaluated_days WHERE is_outage')).toBe(outages),
    within,
  );
const dies = (crashAt: string) => startDying(system, 'status', crashAt);

it('a bad month is paid back exactly: kills, repeats, gaps, two schedulers, a late evaluation, restored databases', async () => {
  expect(outages).toBeGreaterThan(5);
  expect(outages).toBeLessThan(DAYS - 5);
  await seedLedger();
  const middle = Math.floor(observations.length / 2);
  // The process that receives the first half dies between receiving and handling, again and again.
  await tell(observations.slice(0, middle));
  for (const point of ['event-received', 'event-handled', 'transaction-committed'])
    await (await dies(point)).dead;
  await tell(observations.slice(middle));
  const running = [await startProcess(system, 'status'), await startProcess(system, 'status')];
  await observed(DAYS * SLOTS);

  // No day is evaluated yet. The process that evaluates them all dies before, between and after its events.
  const before = await copyDatabase(databaseOf('status'));
  const ledgerBefore = await copyDatabase(databaseOf('credits-ledger'));
  for (const one of running) await one.kill();
  for (const point of ['schedule-claimed', 'transaction-committed', 'schedule-handled']) {
    // What another one held when it died is free at once.
    const status = waitingRows(system, 'status');
    await status.endLeases('messaging.schedules');
    await status.makeDue('messaging.schedules');
    await (await dies(point)).dead;
  }
  await startProcess(system, 'status');
  await startProcess(system, 'status');
  await evaluateNow();
  await evaluated();
  await paysExactly();

  // The ledger forgets what it has given, and hears of it again; the status service forgets that it has evaluated, and evaluates once more.
  await ledgerBefore.putBack();
  await paysExactly();
  await before.putBack();
  await observed(DAYS * SLOTS);
  await eventually(async () => {
    await evaluateNow();
    expect(await countOf('SELECT count(*) FROM evaluated_days WHERE is_outage')).toBe(outages);
  }, within);
  await paysExactly();
  await Promise.all([before.drop(), ledgerBefore.drop()]);

  const books = () => auditBooks(openEvidence((service) => databaseOf(service).adminUrl, { atRest: false }));
  expect((await books()).filter(({ invariant }) => invariant === 'I11')).toEqual([]);
  const [frozen] = await query<{ status: string }>(
    'credits-ledger',
    'SELECT status FROM accounts WHERE account_id = $1',
    [accounts.find(({ status }) => status === 'frozen')?.id],
  );
  expect(frozen?.status).toBe('frozen');
});
