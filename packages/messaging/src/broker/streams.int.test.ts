import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { createLog } from '@tds/base/internals';
import { BROKERS, eventually, startTestNats, startTestNatsCluster, type TestNats } from '@tds/test-kit';
import { notesTaken as definition, notes as stream } from '../test-support/notes-stream.ts';
import { type Bus, connectBus } from './bus.ts';
import { readStream } from './read-stream.ts';
import { ensureConsumer, ensureStream, resetConsumer } from './streams.ts';

describe.each(BROKERS)('streams and consumers, on the %s broker', (broker) => {
  let nats: TestNats;
  let bus: Bus;
  let manager: JetStreamManager;
  beforeAll(async () => {
    nats = await startTestNats({ broker });
    bus = await connectBus({
      service: 'status',
      url: nats.servers,
      log: createLog({ service: 'status', level: 'silent' }),
    });
    manager = await bus.jetstream.jetstreamManager();
  });
  beforeEach(async () => void (await manager.streams.delete(stream.name).catch(() => false)));
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  const publish = (text: string) => bus.jetstream.publish('notes.taken', text);
  /** What the consumer delivers now; all of it is acknowledged. */
  const take = async (count: number): Promise<string[]> => {
    const consumer = await ensureConsumer(bus, definition);
    const texts: string[] = [];
    for await (const message of await consumer.fetch({ max_messages: count, expires: 30_000 })) {
      texts.push(message.string());
      await message.ackAck();
      if (texts.length === count) break;
    }
    return texts;
  };

  it('are created by the first process that needs them, however many ask at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => ensureConsumer(bus, definition)));
    const { config } = await manager.consumers.info(stream.name, definition.name);
    expect(config).toMatchObject({
      durable_name: 'status__notes',
      filter_subject: 'notes.taken',
      max_deliver: -1,
    });
  });

  it('are brought to a changed definition, and keep their messages', async () => {
    await ensureStream(manager, stream);
    await publish('one');
    await ensureStream(manager, { ...stream, max_age: nanos(120_000) });
    const { config, state } = await manager.streams.info(stream.name);
    expect([config.max_age, state.messages]).toEqual([nanos(120_000), 1]);
  });

  it('go on from their position when a process asks for them again', async () => {
    await ensureConsumer(bus, definition);
    for (const text of ['one', 'two', 'three']) await publish(text);
    expect(await take(2)).toEqual(['one', 'two']);
    expect(await take(1)).toEqual(['three']);
  });

  it('are read again if the broker counts fewer messages than the stream has', async () => {
    await ensureStream(manager, stream);
    for (const text of ['one', 'two']) await publish(text);
    const place = {
      stream: { name: stream.name, leader: undefined },
      reader: 'reader',
      subject: 'notes.taken',
    };
    const part = { ...place, from: 1, upTo: 9, limit: 9 };
    expect(await readStream(bus, { ...part, min: 2 })).toHaveLength(2);
    await expect(readStream(bus, { ...part, min: 3 })).rejects.toThrow('was given 2 messages of 3');
  });

  it('are read on a server that is alone, whatever it reports of leaders', async () => {
    await ensureStream(manager, stream);
    await publish('one');
    const { cluster } = await manager.streams.info(stream.name);
    const led = { name: stream.name, leader: cluster?.leader };
    const part = { stream: led, reader: 'reader', subject: 'notes.taken' };
    expect(await readStream(bus, { ...part, from: 1, upTo: 9, limit: 9 })).toHaveLength(1);
  });

  it('are read whole by a name under which another instance has just read', async () => {
    await ensureStream(manager, stream);
    for (const text of ['one', 'two']) await publish(text);
    const [reader, subject] = ['reader', 'notes.taken'];
    await manager.consumers.add(stream.name, {
      ...{ name: reader, filter_subject: subject, headers_only: false, mem_storage: true },
      ...{ deliver_policy: 'by_start_sequence', opt_start_seq: 1, ack_policy: 'none' },
      inactive_threshold: 5_000_000_000,
    });
    const other = await bus.jetstream.consumers.get(stream.name, reader);
    for await (const _message of await other.fetch({ max_messages: 2 }));
    const led = { name: stream.name, leader: undefined };
    const part = { stream: led, reader, subject, from: 1, upTo: 9, limit: 9 };
    expect(await readStream(bus, part)).toHaveLength(2);
  });

  it('deliver everything again after a reset, which two instances may ask for', async () => {
    await ensureConsumer(bus, definition);
    for (const text of ['one', 'two']) await publish(text);
    expect(await take(2)).toEqual(['one', 'two']);
    await Promise.all([resetConsumer(bus, definition), resetConsumer(bus, definition)]);
    expect(await take(2)).toEqual(['one', 'two']);
  });
});

describe.each(BROKERS)('streams of three servers, on the %s broker', (broker) => {
  it('are not read on a server that does not lead them', async () => {
    const brokers = await startTestNatsCluster(3, broker);
    const bus = await connectBus({
      service: 'status',
      url: brokers.map(({ servers }) => servers).join(','),
      log: createLog({ service: 'status', level: 'silent' }),
    });
    const replicated = { ...stream, num_replicas: 3 };
    // A cluster that has just started takes no streams for a moment.
    await eventually(async () => ensureStream(await bus.jetstream.jetstreamManager(), replicated));
    await eventually(() => bus.jetstream.publish('notes.taken', 'one'));
    const led = { name: stream.name, leader: 'another' };
    const part = { stream: led, reader: 'reader', subject: 'notes.taken', from: 1, upTo: 9, limit: 9 };
    await expect(readStream(bus, part)).rejects.toThrow('not placed on');
    await bus.close();
    await Promise.all(brokers.map((one) => one.stop()));
  });
});
