import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { route, startStatus, type TestStatus } from './test-support/start-status.ts';

let service: TestStatus;
beforeAll(async () => {
  service = await startStatus();
});
afterAll(() => service?.stop());

const SLOT_MS = 600_000;
const DAY_MS = 86_400_000;
let days = 0;
/** Midnight of a new day for each test. */
const newDay = (): Date => {
  days += 1;
  return new Date(Date.UTC(2026, 2, days));
};
const nameOf = (day: Date) => day.toISOString().slice(0, 10);
/** One observation in the middle of each of `count` slots of a day, from `first` on. */
const observeSlots = async (
  day: Date,
  first: number,
  count: number,
  healthy: boolean,
  instance = randomUUID(),
) => {
  for (let slot = first; slot < first + count; slot += 1) {
    const at = new Date(day.getTime() + slot * SLOT_MS + SLOT_MS / 2);
    await service.observe({ at, instance, strategies: [route('android', healthy), route('web', false)] });
  }
  await service.settled();
};
const evaluateAt = async (clock: Date) => {
  service.setClock(clock);
  await service.run('evaluateDays');
};
const afterDay = (day: Date, minutes = 60) => new Date(day.getTime() + DAY_MS + minutes * 60_000);
const emittedFor = (day: Date) => service.evaluated.filter((outage) => outage.day === nameOf(day));
const evaluated = async (day: Date) =>
  (
    await service.query<{ is_outage: boolean; outage_slots: number }>(
      'SELECT is_outage, outage_slots FROM evaluated_days WHERE day = $1',
      [nameOf(day)],
    )
  )[0];

describe('a day', () => {
  it('is an outage with 24 slots without a healthy strategy, and not with 23', async () => {
    const [bad, nearly] = [newDay(), newDay()];
    await observeSlots(bad, 10, 24, false);
    await observeSlots(nearly, 10, 23, false);
    await observeSlots(nearly, 40, 30, true);
    await evaluateAt(afterDay(nearly));
    await eventually(() =>
      expect(emittedFor(bad)).toEqual([{ day: nameOf(bad), observedSlots: 24, outageSlots: 24 }]),
    );
    expect(await evaluated(nearly)).toEqual({ is_outage: false, outage_slots: 23 });
    expect(emittedFor(nearly)).toEqual([]);
  });

  it('is no outage because of unobserved slots, or of slots in which any instance saw a healthy strategy', async () => {
    const [silent, merged] = [newDay(), newDay()];
    await observeSlots(silent, 0, 12, false);
    await observeSlots(merged, 0, 30, false);
    await observeSlots(merged, 5, 25, true);
    await observeSlots(merged, 5, 25, false);
    await evaluateAt(afterDay(merged));
    expect(await evaluated(silent)).toEqual({ is_outage: false, outage_slots: 12 });
    expect(await evaluated(merged)).toEqual({ is_outage: false, outage_slots: 5 });
  });

  it('is an outage if most fetches of customers failed, although circuits were closed', async () => {
    const day = newDay();
    for (let slot = 0; slot < 24; slot += 1) {
      const at = new Date(day.getTime() + slot * SLOT_MS);
      await service.observe({ at, strategies: [route('android', true)], faults: 'most' });
    }
    await service.settled();
    await evaluateAt(afterDay(day));
    expect(await evaluated(day)).toEqual({ is_outage: true, outage_slots: 24 });
  });

  it('is evaluated an hour after its end at the earliest, from the slots of its UTC day alone', async () => {
    const [day, next] = [newDay(), newDay()];
    await observeSlots(day, 120, 24, false);
    await observeSlots(next, 0, 23, false);
    await evaluateAt(afterDay(day, 59));
    expect(await evaluated(day)).toBeUndefined();
    await evaluateAt(afterDay(day, 60));
    expect(await evaluated(day)).toEqual({ is_outage: true, outage_slots: 24 });
    expect(await evaluated(next)).toBeUndefined();
  });

  it('is emitted once by concurrent and by later runs', async () => {
    const day = newDay();
    await observeSlots(day, 0, 24, false);
    service.setClock(afterDay(day));
    await Promise.all([1, 2, 3, 4].map(() => service.run('evaluateDays')));
    await observeSlots(day, 30, 10, false);
    await evaluateAt(afterDay(day, 120));
    await eventually(() => expect(emittedFor(day)).toHaveLength(1));
    const [row] = await service.query<{ events: string }>(
      `SELECT count(*) AS events FROM messaging.outbox WHERE payload ->> 'day' = $1`,
      [nameOf(day)],
    );
    expect(row?.events).toBe('1');
  });

  it('becomes an outage through observations that arrive after it was evaluated', async () => {
    const day = newDay();
    await observeSlots(day, 0, 20, false);
    await evaluateAt(afterDay(day));
    expect(await evaluated(day)).toMatchObject({ is_outage: false });
    await observeSlots(day, 20, 4, false);
    await evaluateAt(afterDay(day, 3 * 24 * 60));
    await eventually(() => expect(emittedFor(day)).toMatchObject([{ outageSlots: 24 }]));
  });
});

it('rows older than anything shown are deleted', async () => {
  const now = new Date();
  service.setClock(now);
  const old = new Date(now.getTime() - 200 * DAY_MS);
  await service.query('INSERT INTO slots VALUES ($1, true)', [old]);
  await service.query(`INSERT INTO changes VALUES ($1, '{relay}')`, [old]);
  await service.query(`INSERT INTO latency VALUES ($1, 'transcript_cold', $2, '{1}')`, [old, randomUUID()]);
  await service.query(`INSERT INTO reports VALUES ($1, $2, '[]', 'open')`, [randomUUID(), old]);
  await service.run('purgeOldRows');
  for (const [table, column] of [
    ['slots', 'slot_at'],
    ['changes', 'changed_at'],
    ['latency', 'slot_at'],
    ['reports', 'observed_at'],
  ])
    expect(await service.query(`SELECT FROM ${table} WHERE ${column} = $1`, [old])).toEqual([]);
});
