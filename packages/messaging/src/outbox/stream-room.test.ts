import { describe, expect, it } from '@jest/globals';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { Log } from '@tds/base';
import { createInstruments, createMetrics } from '@tds/base/internals';
import type { Runtime } from '../runtime/runtime.ts';
import { createStreamRoom, createStreamSampler, hasNoRoom } from './stream-room.ts';

const refusal = (err_code: number, description: string) =>
  new JetStreamApiError({ code: 503, err_code, description });
const full = refusal(10_077, 'maximum bytes exceeded');

const observed = () => {
  const lines: string[] = [];
  const line = (level: string) => (text: string, fields?: object) =>
    void lines.push(`${level}: ${text} ${JSON.stringify(fields)}`);
  const log = { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Log;
  const metrics = createInstruments(createMetrics('status', { processMetrics: false }));
  const gauge = async () => (await metrics.streamFull.get()).values[0]?.value;
  return { lines, log, metrics, gauge };
};

describe('a stream without room', () => {
  it('differs from events that are refused for another reason', () => {
    expect(hasNoRoom(full)).toBe(true);
    expect(hasNoRoom(refusal(10_047, 'insufficient storage resources available'))).toBe(true);
    expect(hasNoRoom(refusal(10_054, 'message size exceeds maximum allowed'))).toBe(false);
    expect(hasNoRoom(new Error('timeout'))).toBe(false);
  });

  it('is reported once, with what an operator can do, and once when it has room again', async () => {
    const { lines, gauge, ...runtime } = observed();
    const room = createStreamRoom(runtime);
    room.reportRoom();
    expect([lines, await gauge()]).toEqual([[], 0]);
    for (let n = 0; n < 3; n += 1) room.reportFull(full);
    expect([lines.length, await gauge(), room.isFull()]).toEqual([1, 1, true]);
    expect(lines[0]).toMatch(/^error: .*wait in the outbox.*EVENTS_MAX_BYTES.*maximum bytes exceeded/);
    room.reportRoom();
    room.reportRoom();
    expect([lines.length, await gauge(), room.isFull()]).toEqual([2, 0, false]);
    expect(lines[1]).toMatch(/^warn: the broker has room for events again/);
  });

  it('is foreseen: at four fifths of a limit the log says so, once', async () => {
    const { lines, log, metrics } = observed();
    const info = { config: { max_bytes: 1_000, max_msgs: -1 }, state: { bytes: 799, messages: 5_000_000 } };
    const sample = createStreamSampler({
      ...{ log, metrics, service: 'status', surface: { contract: { events: { happened: {} } } } },
      bus: {
        isConnected: () => true,
        jetstream: { jetstreamManager: async () => ({ streams: { info: async () => info } }) },
      },
    } as unknown as Runtime);
    await sample();
    expect(lines).toEqual([]);
    info.state.bytes = 800;
    await sample();
    await sample();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warn: the stream of events is nearly full.*"value":800,"most":1000/);
    info.state.bytes = 10;
    await sample();
    info.state.bytes = 900;
    await sample();
    expect(lines).toHaveLength(2);
  });
});
