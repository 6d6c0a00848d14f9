import { afterEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { claimSchedules, finishSchedule, registerSchedules } from '@tds/queue/internals';
import { copyDatabase, dueRows, eventually, sharedNatsUrl } from '@tds/test-kit';
import pg from 'pg';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const every = (everySeconds: number) =>
  defineSurface(defineContract('status', {}), { schedules: { countThings: { everySeconds } } });

const makeDue = (service: TestService<ReturnType<typeof every>>, name: string, after = '0') =>
  dueRows('status', (text, values) => service.sql(text, ...values)).makeDue(
    'messaging.schedules',
    { where: 'name = $1', values: [name] },
    after,
  );

const PERIOD_MS = 250;
const RUNS = 6;

describe('schedules', () => {
  const bench = createTestBench();
  afterEach(() => bench.stopAll());

  const start = (handler: () => Promise<void>, databaseUrl: string, everySeconds = 1) =>
    bench.start({
      surface: every(everySeconds),
      handlers: { schedules: { countThings: handler } },
      natsUrl: sharedNatsUrl(),
      databaseUrl,
    });

  it('run once per period over two instances', async () => {
    const { url } = await bench.database();
    const at: number[] = [];
    const count = async () => void at.push(performance.now());
    const seconds = PERIOD_MS / 1_000;
    await Promise.all([start(count, url, seconds), start(count, url, seconds)]);
    await eventually(() => expect(at.length).toBeGreaterThanOrEqual(RUNS));
    // Twice per period, this many would have come in half of the time; the first and the last may be late.
    expect((at[RUNS - 1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan((RUNS / 2) * PERIOD_MS);
  });

  it('catch up once, however many periods were missed', async () => {
    const { url } = await bench.database();
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const service = await start(count, url, 60);
    const isOver = `SELECT due_at > now() AND lease_until IS NULL AS over FROM messaging.schedules
      WHERE name = 'count-things'`;
    const untilOver = (run: number) =>
      eventually(async () => expect([runs, await service.sql(isOver)]).toEqual([run, [{ over: true }]]));
    await untilOver(1);
    await makeDue(service, 'count-things', '-1 hour');
    await untilOver(2);
  });

  it('do not begin anew with each start of the service, unless their period became shorter', async () => {
    const { url } = await bench.database();
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const first = await start(count, url, 3_600);
    await eventually(() => expect(runs).toBe(1));
    await first.stop();
    const second = await start(count, url, 3_600);
    // The kit's own schedule is claimed by the same statement.
    await makeDue(second, 'kit-purge-old-rows');
    const purged = `SELECT FROM messaging.schedules WHERE name = 'kit-purge-old-rows' AND due_at > now()`;
    await eventually(async () => expect(await second.sql(purged)).toHaveLength(1));
    expect(runs).toBe(1);
    await second.stop();
    await start(count, url, 1);
    await eventually(() => expect(runs).toBe(2));
  });

  it('whose lease has come with a copy of the database run there at once', async () => {
    const database = await bench.database();
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const service = await start(count, database.url, 3_600);
    // A row that is due may be later than the "now" of a query that began before it.
    await eventually(() => expect(runs).toBe(1));
    const isOver = `SELECT FROM messaging.schedules WHERE name = 'count-things' AND due_at > now() AND lease_until IS NULL`;
    await eventually(async () => expect(await service.sql(isOver)).toHaveLength(1));
    const held = `due_at = now(), lease_until = now() + interval '1 hour'`;
    await service.sql(`UPDATE messaging.schedules SET ${held} WHERE name = 'count-things'`);
    const copy = await copyDatabase(database);
    expect(runs).toBe(1);
    await copy.putBack();
    await copy.drop();
    await eventually(() => expect(runs).toBe(2));
  });

  it('come again after an error', async () => {
    const { url } = await bench.database();
    let runs = 0;
    const service = await start(async () => {
      runs += 1;
      if (runs === 1) throw new Error('not today');
    }, url);
    await eventually(() => expect(runs).toBeGreaterThanOrEqual(2));
    const [row] = await service.sql<{ last_error: string | null }>(
      `SELECT last_error FROM messaging.schedules WHERE name = 'count-things'`,
    );
    expect(row?.last_error).toBeNull();
  });

  it('run at once in a database that is swapped, to find what it lacks', async () => {
    const database = await bench.database();
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const service = await start(count, database.url, 3_600);
    await eventually(() => expect(runs).toBe(1));
    const copy = await copyDatabase(database);
    await copy.putBack();
    await eventually(() => expect(runs).toBe(2));
    await service.stop();
    await copy.drop();
  });

  it('that are asked for while they run, run once more', async () => {
    const { url } = await bench.database();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const wanted = [{ name: 'look', leaseMs: 30_000 }];
    const claim = () => claimSchedules(pool, wanted);
    const ended = { everySeconds: 3_600, error: null };
    const register = () =>
      registerSchedules(pool, [{ name: 'look', everySeconds: 3_600, alsoOnConnect: true }]);
    await register();
    const [first] = await claim();
    await register();
    if (first) await finishSchedule(pool, first, ended);
    const [second] = await claim();
    expect(second?.id).toBe('look');
    if (second) await finishSchedule(pool, second, ended);
    expect(await claim()).toEqual([]);
    await pool.end();
  });

  it('whose database was restored while they ran end no run of the one that took its place', async () => {
    const database = await bench.database();
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => {});
    const claim = () => claimSchedules(pool, [{ name: 'look', leaseMs: 600_000 }]);
    await registerSchedules(pool, [{ name: 'look', everySeconds: 3_600, alsoOnConnect: true }]);
    const copy = await copyDatabase(database);
    const [before] = await eventually(claim);
    await copy.putBack();
    await copy.drop();
    const [after] = await eventually(claim);
    expect(after?.epoch).toBe(before?.epoch);
    const runs = 'SELECT finished_at, lease_until > now() AS "isHeld" FROM messaging.schedules';
    if (before) await finishSchedule(pool, before, { everySeconds: 3_600, error: null });
    expect((await pool.query(runs)).rows).toEqual([{ finished_at: null, isHeld: true }]);
    await pool.end();
  });
});
