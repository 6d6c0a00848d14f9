import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsMsg, StorageType } from '@nats-io/jetstream';
import { createLog } from '@tds/base/internals';
import { BROKERS, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { notesTaken, notes as stream } from '../test-support/notes-stream.ts';
import { type Bus, connectBus } from './bus.ts';
import { consume } from './consume.ts';
import type { ConsumerDefinition } from './streams.ts';

const definition: ConsumerDefinition = { ...notesTaken, stream: { ...stream, storage: StorageType.File } };
const room = { free: () => 10, whenFree: async () => {} };

describe.each(BROKERS)('a consumer whose file a power cut has emptied, on the %s broker', (broker) => {
  let nats: TestNats;
  let bus: Bus;
  const taken: string[] = [];
  let stop: () => Promise<void>;
  const log = createLog({ service: 'status', level: 'silent' });
  const take = (message: JsMsg) => {
    taken.push(message.string());
    message.ack();
  };
  beforeAll(async () => {
    nats = await startTestNats({ broker });
    bus = await connectBus({ service: 'status', url: nats.servers, log });
    ({ stop } = consume({ bus, definition, room, take, log, checks: new Map() }));
  });
  afterAll(async () => {
    await stop();
    await bus.close();
    await nats.stop();
  });

  const publish = (text: string) => bus.jetstream.publish(definition.subject, text);
  /** What a file system leaves of a file that was not synced: its length, and zeros. */
  const cutPower = async () => {
    await nats.shutDown();
    const file = path.join(nats.messagesDir(stream.name), '../obs', definition.name, 'o.dat');
    writeFileSync(file, Buffer.alloc(readFileSync(file).byteLength));
    await nats.start();
  };

  it('takes messages again, also after the next power cut and the next restart', async () => {
    await eventually(() => publish('one'));
    await eventually(() => expect(taken).toContain('one'));
    for (const hurt of [cutPower, cutPower, () => nats.shutDown().then(() => nats.start())]) {
      await hurt();
      const text = crypto.randomUUID();
      await eventually(() => publish(text));
      await eventually(() => expect(taken).toContain(text));
    }
  });
});
