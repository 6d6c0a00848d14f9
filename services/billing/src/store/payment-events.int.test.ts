import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { after, NOW, startTables, type Tables } from '../test-support/stored-purchases.ts';
import { findStoredEvents, insertEvents, readUpTo, saveUpTo } from './payment-events.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const newEvent = (id = `evt_${randomUUID()}`) => ({ id, type: 'charge.succeeded', created: 1_768_000_000 });
const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

describe('an event', () => {
  it('is new once, for any number of concurrent copies', async () => {
    const event = newEvent();
    const inserted = await Promise.all(Array.from({ length: 8 }, () => insertEvents(tables.db, [event], NOW)));
    expect(inserted.filter((ids) => ids.has(event.id))).toHaveLength(1);
  });

  it('is new once if a batch contains it twice', async () => {
    const event = newEvent();
    expect([...(await insertEvents(tables.db, [event, event], NOW))]).toEqual([event.id]);
  });

  it('is new beside known ones in the same batch', async () => {
    const [known, fresh] = [newEvent(), newEvent()];
    await insertEvents(tables.db, [known], NOW);
    expect(await insertEvents(tables.db, [known, fresh, known], NOW)).toEqual(new Set([fresh.id]));
  });

  it('keeps its type, its time at the processor, and the time of its first arrival', async () => {
    const event = newEvent();
    await insertEvents(tables.db, [event], NOW);
    await insertEvents(tables.db, [{ ...event, type: 'else', created: 0 }], after(1_000));
    expect(await tables.db.paymentEvent.findUniqueOrThrow({ where: { id: event.id } })).toEqual({
      ...{ id: event.id, type: 'charge.succeeded' },
      ...{ createdAt: new Date(1_768_000_000_000), receivedAt: NOW },
    });
  });

  it('is not saved if the transaction of its effect fails, and is then new again', async () => {
    const event = newEvent();
    const failing = tables.db.$transaction(async (tx) => {
      await insertEvents(tx, [event], NOW);
      throw new Error('the effect failed');
    });
    await expect(failing).rejects.toThrow('the effect failed');
    expect(await findStoredEvents(tables.db, [event.id])).toEqual(new Set());
    expect(await insertEvents(tables.db, [event], NOW)).toEqual(new Set([event.id]));
  });

  it('that another transaction is saving waits for its end, and is new only if that fails', async () => {
    const event = newEvent();
    const [hasInserted, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = tables.db.$transaction(async (tx) => {
      await insertEvents(tx, [event], NOW);
      hasInserted.resolve();
      await mayEnd.promise;
      throw new Error('rolled back');
    });
    await hasInserted.promise;
    const second = insertEvents(tables.db, [event], NOW);
    mayEnd.resolve();
    await expect(first).rejects.toThrow('rolled back');
    expect(await second).toEqual(new Set([event.id]));
  });

  it('in batches of opposite orders blocks none of them', async () => {
    const events = Array.from({ length: 30 }, () => newEvent());
    const batches = Array.from({ length: 6 }, (_, index) =>
      tables.db.$transaction((tx) => insertEvents(tx, index % 2 === 0 ? events : events.toReversed(), NOW)),
    );
    const inserted = (await Promise.all(batches)).flatMap((ids) => [...ids]);
    expect(inserted.toSorted()).toEqual(idsOf(events).toSorted());
  });

  it('is known exactly if it was saved', async () => {
    const [known, unknown] = [newEvent(), newEvent()];
    await insertEvents(tables.db, [known], NOW);
    expect(await findStoredEvents(tables.db, idsOf([known, unknown]))).toEqual(new Set([known.id]));
    expect(await findStoredEvents(tables.db, [])).toEqual(new Set());
  });

  it('of an empty batch is none', async () => {
    expect(await insertEvents(tables.db, [], NOW)).toEqual(new Set());
  });
});

describe('the place in the list of the processor', () => {
  it('is unknown at first, then the last that was saved, also an earlier one', async () => {
    expect(await readUpTo(tables.db)).toBeNull();
    for (const upTo of [NOW, after(60_000), after(-60_000)]) {
      await saveUpTo(tables.db, upTo);
      expect(await readUpTo(tables.db)).toEqual(upTo);
    }
  });

  it('is one, although several processes save it at once', async () => {
    await tables.db.reconciliation.deleteMany();
    const times = Array.from({ length: 6 }, (_, index) => after(index));
    await Promise.all(times.map((upTo) => saveUpTo(tables.db, upTo)));
    expect(await tables.db.reconciliation.count()).toBe(1);
    expect(times).toContainEqual(await readUpTo(tables.db));
  });
});
