import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AckPolicy, type ConsumerInfo, JetStreamError, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { createRecordingLog } from '@tds/base/testing';
import { BROKERS, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { notesTaken as definition, notes as stream } from '../test-support/notes-stream.ts';
import { type Bus, connectBus } from './bus.ts';
import { consume } from './consume.ts';
import { ensureConsumer, ensureStream } from './streams.ts';

const room = { free: () => 10, whenFree: async () => {} };

describe.each(BROKERS)('a reader of a consumer, on the %s broker', (broker) => {
  let nats: TestNats;
  let bus: Bus;
  const { lines, log } = createRecordingLog();
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    nats = await startTestNats({ broker });
    bus = await connectBus({ service: 'status', url: nats.servers, log });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    lines.length = 0;
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  const start = (from: Bus = bus, leaderlessMs?: number): string[] => {
    const taken: string[] = [];
    const take = (message: JsMsg) => {
      taken.push(message.string());
      message.ack();
    };
    stops.push(consume({ bus: from, definition, room, take, log, checks: new Map() }, leaderlessMs).stop);
    return taken;
  };
  /** A bus whose present consumer answers no pull: its brokers have lost its leader. */
  const leaderless = async (): Promise<Bus> => {
    const manager = await bus.jetstream.jetstreamManager();
    const { created } = await manager.consumers.info(stream.name, definition.name);
    const fetch = async () => {
      throw Object.assign(new JetStreamError('no responders'), { code: 503 });
    };
    const getConsumerFromInfo = (info: ConsumerInfo) =>
      info.created === created ? { fetch } : bus.jetstream.consumers.getConsumerFromInfo(info);
    const jetstream = Object.create(bus.jetstream, { consumers: { value: { getConsumerFromInfo } } });
    return { ...bus, jetstream };
  };
  const unacknowledged = async (): Promise<number> => {
    const manager = await bus.jetstream.jetstreamManager();
    return (await manager.consumers.info(stream.name, definition.name)).num_ack_pending;
  };

  it('is done for good with another event in the place of one that was lost with its stream', async () => {
    const manager = await bus.jetstream.jetstreamManager();
    await ensureStream(manager, stream);
    // Like one that outlived its stream, it holds a place for which it is not: its filter was wider when it delivered that.
    await manager.consumers.add(stream.name, {
      durable_name: definition.name,
      filter_subject: 'notes.>',
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(definition.ackWaitMs),
    });
    const consumer = await bus.jetstream.consumers.get(stream.name, definition.name);
    await bus.jetstream.publish('notes.lost', 'another');
    expect((await consumer.next())?.string()).toBe('another');
    expect(await unacknowledged()).toBe(1);

    const taken = start();
    await bus.jetstream.publish(definition.subject, 'mine');
    await eventually(() => expect(taken).toEqual(['mine']));
    await eventually(async () => expect(await unacknowledged()).toBe(0));
    expect(taken).toEqual(['mine']);
    expect(lines.join()).toContain('another event in the place of a lost one');
    expect(lines.join()).not.toContain('on purpose');
  });

  it('deletes a consumer whose leader does not come back, and takes what waited', async () => {
    const manager = await bus.jetstream.jetstreamManager();
    await ensureConsumer(bus, definition);
    await bus.jetstream.publish(definition.subject, 'waiting');
    const taken = start(await leaderless(), 1_000);
    await eventually(() => expect(taken).toContain('waiting'));
    expect((await manager.consumers.info(stream.name, definition.name)).num_pending).toBe(0);
  });

  it('keeps a consumer whose leader comes back in time', async () => {
    const manager = await bus.jetstream.jetstreamManager();
    await ensureConsumer(bus, definition);
    const created = async () => (await manager.consumers.info(stream.name, definition.name)).created;
    const before = await created();
    start(await leaderless());
    await eventually(() => expect(lines.join()).toContain('no responders'));
    expect(await created()).toBe(before);
  });
});
