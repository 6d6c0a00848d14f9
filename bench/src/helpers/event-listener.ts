import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { eventStreamName } from '@tds/messaging/internals';
import { benchContract, machineMs } from '../support/bench-contract.ts';
import { connectOperator } from '../support/connect-operator.ts';
import { serveHelper } from '../support/helper.ts';

/** Receives the events of both sides: a consumer of the stream, so every event has been stored. */

const STREAM = eventStreamName(benchContract.service);
const INACTIVE_MS = 30_000;
const connection = await connectOperator(process.env.NATS_URL ?? '', process.env.OPERATOR_NKEY_SEED ?? '');

type Hearing = { readonly arrivedAt: Float64Array; readonly done: Promise<void> };
let hearing: Hearing | null = null;

const expect = async (count: number): Promise<void> => {
  const manager = await jetstreamManager(connection);
  // Not an ordered one, whose filter wants a newer server than the oldest that the system runs on.
  const { name } = await manager.consumers.add(STREAM, {
    filter_subject: benchContract.benchHappened.subject,
    deliver_policy: DeliverPolicy.New,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    inactive_threshold: nanos(INACTIVE_MS),
  });
  const messages = await (await jetstream(connection).consumers.get(STREAM, name)).consume();
  const arrivedAt = new Float64Array(count);
  const listen = async (): Promise<void> => {
    let missing = count;
    for await (const message of messages) {
      const at = machineMs();
      const { n } = message.json() as { n: number };
      if (arrivedAt[n] === 0) missing -= 1;
      arrivedAt[n] ||= at;
      if (missing === 0) break;
    }
    await messages.close();
  };
  hearing = { arrivedAt, done: listen() };
  await connection.flush();
};

/** Returns when each event arrived, after all have. */
const heard = async (withinMs: number): Promise<Float64Array> => {
  if (!hearing) throw new Error('nothing is expected');
  const { promise, reject } = Promise.withResolvers<never>();
  const missing = () => hearing?.arrivedAt.filter((at) => at === 0).length;
  const timer = setTimeout(() => reject(new Error(`${missing()} events did not arrive`)), withinMs);
  try {
    await Promise.race([hearing.done, promise]);
  } finally {
    clearTimeout(timer);
  }
  return hearing.arrivedAt;
};

serveHelper({ expect, heard });
