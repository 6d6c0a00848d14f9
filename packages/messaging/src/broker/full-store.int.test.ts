import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JetStreamManager } from '@nats-io/jetstream';
import { createLog } from '@tds/base/internals';
import { BROKERS, startTestNats, type TestNats } from '@tds/test-kit';
import { publishRow } from '../outbox/publish.ts';
import { type Bus, connectBus } from './bus.ts';
import { defaultStreamLimits, readStreamLimits } from './stream-limits.ts';
import { readStreamState } from './stream-now.ts';
import { ensureConsumer, ensureStream, eventStream, StreamFailure } from './streams.ts';

const MIB = 1_024 ** 2;
const EVENTS_STORE_BYTES = 100 * MIB;
const streamOf = (emitter: string, maxBytes: number) =>
  eventStream(emitter, { ...defaultStreamLimits, maxBytes });

describe.each(BROKERS)('a store that holds one and a half streams, on the %s broker', (broker) => {
  let nats: TestNats;
  let bus: Bus;
  let manager: JetStreamManager;
  beforeAll(async () => {
    nats = await startTestNats({ broker, storeBytes: EVENTS_STORE_BYTES });
    const log = createLog({ service: 'status', level: 'silent' });
    bus = await connectBus({ service: 'status', url: nats.servers, log });
    manager = await bus.jetstream.jetstreamManager();
    await ensureStream(manager, streamOf('status', 70 * MIB));
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });
  const maxBytes = async () => (await manager.streams.info('EVT_status')).config.max_bytes;

  it.each([70, 80, 60, 70])('brings the stream that exists to %d MiB', async (mib) => {
    await ensureStream(manager, streamOf('status', mib * MIB));
    expect(await maxBytes()).toBe(mib * MIB);
  });

  it('refuses another stream and a larger one by name, and goes on with what is there', async () => {
    const missing = ensureStream(manager, streamOf('archiver', 70 * MIB));
    await expect(missing).rejects.toMatchObject({
      exists: false,
      message: expect.stringContaining('EVT_archiver'),
    });
    const stream = streamOf('status', 120 * MIB);
    const larger = ensureStream(manager, stream);
    await expect(larger).rejects.toMatchObject({ exists: true, cause: { code: 10_047 } });
    await expect(larger).rejects.toThrow(StreamFailure);
    const consumer = { name: 'archiver__it-happened', subject: 'evt.status.it-happened.v1', ackWaitMs: 1_000 };
    await ensureConsumer(bus, { ...consumer, stream });
    expect(await maxBytes()).toBe(70 * MIB);
  });

  it('has events wait and audits fail with a reason that names the missing stream', async () => {
    const event = { id: 'id', subject: 'evt.archiver.it-happened.v1', payload: '{}', headers: {} };
    await expect(publishRow(bus.jetstream, event)).rejects.toThrow('the stream EVT_archiver is missing');
    const provided = { ...bus, jetstream: bus.jetstream, hasProvisioner: true };
    const reading = readStreamState(provided, 'archiver', AbortSignal.abort());
    await expect(reading).rejects.toThrow('the stream EVT_archiver is missing');
  });
});

it.each([
  [
    { EVENTS_MAX_BYTES: '1073741825' },
    'EVENTS_MAX_BYTES: expected EVENTS_MAX_BYTES of at most 1073741824, a tenth',
  ],
  [{ EVENTS_STORE_BYTES: '5368709119' }, 'EVENTS_STORE_BYTES: expected EVENTS_MAX_BYTES of at most 536870911'],
  [
    { EVENTS_MAX_BYTES: '1073741824', EVENTS_STORE_BYTES: '10737418239' },
    'EVENTS_MAX_BYTES: expected EVENTS_MAX_BYTES of at most 1073741823',
  ],
])('the settings %j are refused, because the streams would not fit the store', (settings, sentence) => {
  expect(() => readStreamLimits('status', settings)).toThrow(sentence);
});
