import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { byPriority } from '../../domain/operation.ts';
import { openTables, type Tables } from '../../test-support/tables.ts';
import { adoptFetches } from './rows.ts';
import { acquireSlots, releaseSlots, type SlotsByPriority } from './workers.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

const slots = (reads: number, jobs: number): SlotsByPriority => ({ reads, jobs });
const ALL = slots(8, 6);
/** Sends a heartbeat that requests `target` places and keeps `current`. Returns the places given. */
const beat = (worker: string, target = slots(0, 0), current = slots(0, 0)) =>
  acquireSlots(tables.sql, worker, { target, current, all: ALL });
const fetchOf = (worker: string) => tables.add.fetch({ worker_id: worker });
const adopt = (worker: string) => adoptFetches(tables.sql, worker, [], { limit: 8, areSuspect: false });
const dies = (worker: string) =>
  tables.query(`UPDATE workers SET alive_until = now() - interval '1 second' WHERE id = $1`, [worker]);

describe('slots', () => {
  beforeEach(async () => {
    await tables.query('DELETE FROM workers');
    await tables.query('DELETE FROM fetches');
  });
  const [one, other] = [randomUUID(), randomUUID()];

  it('all go to a worker that is alone', async () => {
    expect(await beat(one, ALL)).toEqual(ALL);
    expect(await beat(one, ALL)).toEqual(ALL);
  });

  it.each(Array.from({ length: 5 }, (_, n) => n))(
    'are never exceeded by workers that wake at the same moment (%i)',
    async () => {
      const given = await Promise.all(Array.from({ length: 5 }, () => beat(randomUUID(), ALL)));
      const sums = byPriority((priority) => given.reduce((sum, each) => sum + each[priority], 0));
      expect(sums).toEqual(ALL);
    },
  );

  it('in use are not given to another worker, and are shared as they become free', async () => {
    await beat(one, ALL);
    expect(await beat(other, ALL)).toEqual(slots(0, 0));
    expect(await beat(one, ALL, slots(8, 2))).toEqual(slots(4, 3));
    expect(await beat(other, ALL)).toEqual(slots(0, 3));
    expect(await beat(one, ALL, slots(5, 2))).toEqual(slots(4, 3));
    expect(await beat(other, ALL)).toEqual(slots(3, 3));
    await releaseSlots(tables.sql, one);
    expect(await beat(other, ALL)).toEqual(ALL);
  });

  it('of a silent worker are free after its lease; those of its fetches after their takeover', async () => {
    await beat(one, ALL);
    await fetchOf(one);
    await fetchOf(one);
    expect(await beat(other, ALL)).toEqual(slots(0, 0));
    await dies(one);
    expect(await beat(other, ALL)).toEqual(slots(6, 6));
    expect(await adopt(other)).toHaveLength(2);
    // With the two that it took over.
    expect(await beat(other, ALL, slots(6, 6))).toEqual(ALL);
    expect(await beat(one, ALL)).toEqual(slots(0, 0));
  });

  it('come with a takeover, even to a worker without a heartbeat', async () => {
    await fetchOf(one);
    await fetchOf(one);
    expect(await adopt(other)).toHaveLength(2);
    expect(await beat(randomUUID(), ALL)).toEqual(slots(4, 3));
    expect(await beat(randomUUID(), ALL)).toEqual(slots(2, 2));
  });
});
