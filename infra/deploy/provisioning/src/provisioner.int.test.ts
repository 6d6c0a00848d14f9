import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { defineContract, defineSurface } from '@tds/contracts';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { type Provisioner, startProvisioner } from './provisioner.ts';

const status = defineContract('status', {
  events: { thingHappened: { payload: z.object({ n: z.number() }) } },
});
const surfaces = [defineSurface(status), defineSurface(defineContract('gateway', {}))];
const archiver = defineContract('archiver', { events: { thingHappened: { payload: z.object({}) } } });

describe('the provisioner', () => {
  let nats: TestNats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let provisioner: Provisioner | undefined;
  beforeEach(async () => {
    nats = await startTestNats();
    connection = await connect({ servers: nats.servers, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
    manager = await jetstreamManager(connection, { timeout: 500 });
  });
  afterEach(async () => {
    await provisioner?.stop();
    provisioner = undefined;
    await connection.close();
    await nats.stop();
  });

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    provisioner = await startProvisioner({ url: nats.servers, surfaces, environment, logLevel: 'silent' });
  };
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { config } of manager.streams.list()) found.push(config.name);
    return found.toSorted();
  };
  const all = ['EVT_status'];

  it('has made the streams of all services when it has started, and again when the broker comes back without them', async () => {
    await start();
    expect(await names()).toEqual(all);
    await nats.wipe();
    await eventually(async () => expect(await names()).toEqual(all));
  });

  it('leaves a stream that the broker cannot enlarge as it is', async () => {
    const streamBytes = async () => (await manager.streams.info('EVT_status')).config.max_bytes;
    await start();
    const before = await streamBytes();
    await provisioner?.stop();
    await start({ EVENTS_MAX_BYTES: String(20 * 1_024 ** 3), EVENTS_STORE_BYTES: String(200 * 1_024 ** 3) });
    expect(await streamBytes()).toBe(before);
  });

  it('makes the streams behind a refused one, and waits for that until it is to end', async () => {
    await manager.streams.add({ name: 'OF_OTHERS', subjects: ['evt.archiver.>'] });
    const ending = new AbortController();
    const { signal } = ending;
    const both = [defineSurface(archiver), ...surfaces];
    const started = startProvisioner({ url: nats.servers, surfaces: both, logLevel: 'silent', signal });
    await eventually(async () => expect(await names()).toEqual(['EVT_status', 'OF_OTHERS']));
    ending.abort();
    await expect(started).rejects.toThrow('aborted');
  });

  it('makes a deleted stream again at once', async () => {
    await start();
    await manager.streams.delete('EVT_status');
    await eventually(async () => expect(await names()).toEqual(all));
  });
});
