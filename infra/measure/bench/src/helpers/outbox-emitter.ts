import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { poolClient } from '@tds/base/testing';
import { defineSurface } from '@tds/contracts';
import { type Kit, startService } from '@tds/kit';
import { benchContract, connectOperator, FILLING, machineMs } from '../support/bench-service.ts';
import { type PaceOptions, pace } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';

const surface = defineSurface(benchContract);
type BenchKit = Kit<typeof surface>;

const started = Promise.withResolvers<BenchKit>();
await startService(
  {
    surface,
    start: async (kit: BenchKit) => {
      started.resolve(kit);
      return { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };
    },
  },
  process.env,
);
const { messaging, db } = await started.promise;
const client = poolClient(db);

const connection = await connectOperator(process.env.NATS_URL ?? '', process.env.OPERATOR_NKEY_SEED ?? '');
const stream = jetstream(connection);

serveHelper({
  /** A service on the kit emits each event in a transaction of its own. Returns when each commit was confirmed, by the machine's clock. */
  emit: async (options: PaceOptions): Promise<Float64Array> => {
    const committedAt = new Float64Array(options.count);
    await pace(options, async (n) => {
      const timed: typeof client = {
        ...client,
        $transaction: async (work, settings) => {
          const result = await client.$transaction(work, settings);
          committedAt[n] = machineMs();
          return result;
        },
      };
      await messaging.transaction(timed, (_tx, send) =>
        send.emit(benchContract.benchHappened, { n, filling: FILLING }),
      );
    });
    return committedAt;
  },
  /** The peer publishes the same message to the stream, acknowledged, without a database. Returns when each publish began. */
  publish: async (options: PaceOptions): Promise<Float64Array> => {
    const publishedAt = new Float64Array(options.count);
    await pace(options, async (n) => {
      const body = JSON.stringify({ n, filling: FILLING });
      publishedAt[n] = machineMs();
      await stream.publish(benchContract.benchHappened.subject, body, { msgID: randomUUID() });
    });
    return publishedAt;
  },
});
