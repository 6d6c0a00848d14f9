import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BROKERS, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createEffectsBench, emitAll, query } from '../test-support/effects-bench.ts';
import { unpublished } from '../test-support/event-bench.ts';

describe.each(BROKERS)('a database that goes back in time, on the %s broker', (broker) => {
  let nats: TestNats;
  const bench = createEffectsBench(() => nats);
  const { startEmitter, withEffects, startRecording, effects, handled, copyOf, search, replays, acknowledged } =
    bench;
  beforeAll(async () => {
    nats = await startTestNats({ broker });
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  it('handles once more what it has lost when its service starts, each effect once', async () => {
    const database = await withEffects();
    const first = await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, 1, 2);
    await handled(database, 1, 2);
    const copy = await copyOf(database);
    await emitAll(emitter, 3, 4, 5);
    await handled(database, 1, 2, 3, 4, 5);
    await acknowledged(5);
    await first.stop();
    await copy.putBack();
    expect(await effects(database)).toEqual([1, 2]);
    const second = await startRecording(database);
    await handled(database, 1, 2, 3, 4, 5);
    expect((await second.kit.metrics.lostEvents.get()).values).toMatchObject([{ value: 3 }]);
    await search(database);
    expect(await replays(database)).toHaveLength(3);
    expect(await effects(database)).toEqual([1, 2, 3, 4, 5]);
  });

  it('handles it once more while its two instances run on, though new events came first', async () => {
    const database = await withEffects();
    await Promise.all([startRecording(database), startRecording(database)]);
    const emitter = await startEmitter();
    await emitAll(emitter, 1, 2);
    await handled(database, 1, 2);
    await acknowledged(2);
    await search(database);
    const copy = await copyOf(database);
    await emitAll(emitter, 3, 4, 5);
    await handled(database, 1, 2, 3, 4, 5);
    await acknowledged(5);
    await copy.putBack();
    await emitAll(emitter, 6);
    await handled(database, 1, 2, 3, 4, 5, 6);
    await search(database);
    expect(await effects(database)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is not mistaken for one that has purged its inbox, gives events up or handles without remembering', async () => {
    const database = await withEffects();
    const emitter = await startEmitter();
    const recording = await startRecording(database);
    await emitAll(emitter, 1, 2);
    await emitter.sql(`SELECT messaging.emit('evt.status.thing-happened.v1', '{"n": "poison"}')`);
    emitter.kit.messaging.wake();
    await emitter.sql(`SELECT messaging.emit('evt.status.thing-happened.v1', '{"n": "bitter"}')`);
    emitter.kit.messaging.wake();
    await handled(database, 1, 2);
    await acknowledged(4);
    await eventually(async () => expect(await replays(database)).toHaveLength(2));
    await query(
      database.url,
      `WITH one AS (DELETE FROM messaging.tasks WHERE state = 'ready' RETURNING payload)
       INSERT INTO messaging.dead_letters (kind, source, message_id, payload, reason, attempts)
       SELECT 'event', payload ->> 'subject', (payload ->> 'messageId')::uuid, payload -> 'payload', 'unreadable', 1 FROM one`,
    );
    await search(database);
    await query(database.url, 'DELETE FROM messaging.inbox');
    await search(database);
    await recording.stop();
    let runs = 0;
    await bench.startSubscriber(async () => {
      runs += 1;
    }, database.url);
    await emitAll(emitter, 3);
    await acknowledged(5);
    await search(database);
    expect(await replays(database)).toEqual([]);
    expect(runs).toBe(1);
  });

  it('that has lost all but its tables handles everything that the stream keeps', async () => {
    const database = await withEffects();
    const copy = await copyOf(database);
    const numbers = Array.from({ length: 250 }, (_, n) => n);
    const first = await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, ...numbers);
    await handled(database, ...numbers);
    await acknowledged(250);
    await first.stop();
    await copy.putBack();
    await startRecording(database);
    await handled(database, ...numbers);
  });

  it('is reported if the stream does not keep any more what it may have lost', async () => {
    const database = await withEffects();
    const subscriber = await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, 1);
    await handled(database, 1);
    await acknowledged(1);
    await search(database);
    const copy = await copyOf(database);
    await emitAll(emitter, 2, 3, 4);
    await handled(database, 1, 2, 3, 4);
    await acknowledged(4);
    const gaps = async () => (await subscriber.kit.metrics.eventGaps.get()).values;
    expect(await gaps()).toEqual([]);
    await bench.purge('EVT_status', 4);
    await copy.putBack();
    await handled(database, 1, 4);
    // Once more where a search is interrupted before it has moved the position.
    const [reported] = await gaps();
    expect(reported).toMatchObject({ labels: { name: 'thing-happened' } });
    expect(reported?.value).toBeGreaterThanOrEqual(1);
  });

  it('goes on finding what is lost after the broker was wiped', async () => {
    const database = await withEffects();
    const first = await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, 1, 2, 3);
    await handled(database, 1, 2, 3);
    await acknowledged(3);
    await search(database);
    await nats.wipe();
    await emitAll(emitter, 4);
    await handled(database, 1, 2, 3, 4);
    const copy = await copyOf(database);
    await emitAll(emitter, 5);
    await handled(database, 1, 2, 3, 4, 5);
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await acknowledged(2);
    await first.stop();
    await copy.putBack();
    await startRecording(database);
    await handled(database, 1, 2, 3, 4, 5);
  });

  it('reads the stream again if another message has the position of a received one', async () => {
    const database = await withEffects();
    await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, 1, 2, 3);
    await handled(database, 1, 2, 3);
    await acknowledged(3);
    await search(database);
    // As if the stream had been rolled back, and these two had taken the places of others before anybody looked.
    await query(database.url, 'DELETE FROM messaging.inbox USING effects WHERE stream_seq = n AND n < 3');
    await query(database.url, 'DELETE FROM effects WHERE n < 3');
    await query(database.url, 'UPDATE messaging.positions SET anchor_id = gen_random_uuid()');
    await search(database);
    await handled(database, 1, 2, 3);
    await search(database);
    const position = `SELECT stream_seq::int AS seq, anchor_seq::int AS checkpoint FROM messaging.positions`;
    await eventually(async () => {
      await search(database);
      expect(await query(database.url, position)).toEqual([{ seq: 3, checkpoint: 3 }]);
    });
  });

  it('and holds events as unpublished that have left long ago has their effects once', async () => {
    const database = await withEffects();
    const own = await bench.database();
    const emitter = await startEmitter(own.url);
    await startRecording(database);
    await nats.kill();
    await emitAll(emitter, 1, 2);
    const copy = await copyOf(own);
    await nats.start();
    await handled(database, 1, 2);
    await copy.putBack();
    await emitAll(emitter, 3);
    await handled(database, 1, 2, 3);
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    expect(await effects(database)).toEqual([1, 2, 3]);
  });
});
