import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { BROKERS, eventually, startTestNatsCluster, type TestNats } from '@tds/test-kit';
import { createEventBench, emit, unpublished } from '../test-support/event-bench.ts';

const STREAM = 'EVT_status';

describe.each(BROKERS)('events on three brokers, on the %s broker', (broker) => {
  let brokers: TestNats[];
  const bench = createEventBench(() => {
    const servers = brokers.map((broker) => broker.servers).join(',');
    return { ...(brokers[0] as TestNats), servers };
  });
  beforeAll(async () => {
    brokers = await startTestNatsCluster(3, broker);
  });
  afterEach(() => bench.stopAll());
  afterAll(() => Promise.all(brokers.map((broker) => broker.stop())));

  it('are kept as often as the configuration says, and flow on when the leading broker dies', async () => {
    const environment = { EVENTS_REPLICAS: '3' };
    const { seen } = await bench.startCounting(environment);
    const emitter = await bench.startEmitter(undefined, environment);
    await emit(emitter, 1);
    await eventually(() => expect(seen).toEqual([1]));
    const other = await connect({ servers: brokers.map(({ servers }) => servers), maxReconnectAttempts: -1 });
    const manager = await jetstreamManager(other);
    const { config, cluster } = await manager.streams.info(STREAM);
    expect(config.num_replicas).toBe(3);
    const leader = Number(cluster?.leader?.slice(1));
    await other.close();
    await brokers[leader]?.kill();
    for (let n = 2; n < 12; n += 1) await emit(emitter, n);
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await brokers[leader]?.start();
  });
});
