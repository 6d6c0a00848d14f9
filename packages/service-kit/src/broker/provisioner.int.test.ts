import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { defineContract, defineSurface } from '@tds/contracts';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEventBench, emit } from '../test-support/event-bench.ts';
import { type Provisioner, startProvisioner } from './provisioner.ts';

const status = defineContract('status', {
  events: { thingHappened: { payload: z.object({ n: z.number() }) } },
});
const surfaces = [defineSurface(status), defineSurface(defineContract('gateway', {}))];

const saveAcknowledged = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SELECT messaging.emit('evt.status.thing-happened.v1', '{"n":1}')`);
  await client.query('UPDATE messaging.outbox SET published_at = now(), stream_seq = 7');
  await client.end();
};

describe('the provisioner', () => {
  let nats: TestNats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let provisioner: Provisioner | undefined;
  const bench = createEventBench(() => nats);
  beforeEach(async () => {
    nats = await startTestNats();
    connection = await connect({ servers: nats.servers, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
    manager = await jetstreamManager(connection, { timeout: 500 });
  });
  afterEach(async () => {
    await bench.stopAll();
    await provisioner?.stop();
    provisioner = undefined;
    await connection.close();
    await nats.stop();
  });

  const start = async (given: { lookEveryMs?: number } = {}) => {
    provisioner = await startProvisioner({ url: nats.servers, surfaces, logLevel: 'silent', ...given });
  };
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { config } of manager.streams.list()) found.push(config.name);
    return found.toSorted();
  };
  const all = ['EVT_status', 'TASKS_status'];

  it('has made the streams of all services when it has started, and again when the broker comes back without them', async () => {
    await start();
    expect(await names()).toEqual(all);
    await nats.wipe();
    await eventually(async () => expect(await names()).toEqual(all));
  });

  it('makes a stream again that somebody has deleted', async () => {
    await start({ lookEveryMs: 250 });
    await manager.streams.delete('TASKS_status');
    await eventually(async () => expect(await names()).toEqual(all));
  });

  it('puts the streams of each emitter in the place of the one that an earlier release had for all, and nothing is lost', async () => {
    await manager.streams.add({ name: 'EVENTS', subjects: ['evt.>'] });
    // As the earlier release left it: acknowledged at a position of the stream that there was.
    const { url } = await bench.database();
    await saveAcknowledged(url);
    await start();
    expect(await names()).toEqual(all);
    const { seen } = await bench.startCounting();
    const later = await bench.startEmitter(url);
    await eventually(() => expect(seen).toEqual([1]));
    await emit(later, 2);
    await eventually(() => expect(seen).toEqual([1, 2]));
  });
});
