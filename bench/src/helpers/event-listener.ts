import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { benchEvent, machineMs } from '../support/bench-event.ts';
import { serveHelper } from '../support/helper.ts';

/** Hears both sides: an ordered consumer of the stream, so what arrives has been stored. */

const STREAM = 'EVENTS';
const connection = await connect({ servers: process.env.NATS_URL ?? '', noAsyncTraces: true });

type Hearing = { readonly arrivedAt: Float64Array; readonly done: Promise<void> };
let hearing: Hearing | null = null;

const expect = async (count: number): Promise<void> => {
  const consumer = await jetstream(connection).consumers.get(STREAM, {
    filter_subjects: [benchEvent.subject],
    deliver_policy: DeliverPolicy.New,
  });
  const messages = await consumer.consume();
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

/** When each arrived, once all have. */
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
