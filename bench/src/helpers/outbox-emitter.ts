import { poolClient } from '@tds/base/testing';
import { defineSurface } from '@tds/contracts';
import { type Kit, startService } from '@tds/kit';
import { benchContract, FILLING, machineMs } from '../support/bench-contract.ts';
import { serveHelper } from '../support/helper.ts';
import { pace } from '../support/pace.ts';

/** A service on the kit that emits each event in a transaction of its own. */

const surface = defineSurface(benchContract);
type BenchKit = Kit<typeof surface>;

const lent = Promise.withResolvers<BenchKit>();
await startService(
  {
    surface,
    start: async (kit: BenchKit) => {
      lent.resolve(kit);
      return { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };
    },
  },
  process.env,
);
const { messaging, db } = await lent.promise;
const client = poolClient(db);

/** Returns when each commit was confirmed, by the machine's clock. */
const emit = async (how: { count: number; perSecond: number }): Promise<Float64Array> => {
  const committedAt = new Float64Array(how.count);
  await pace(how, async (n) => {
    const timed: typeof client = {
      ...client,
      $transaction: async (work, options) => {
        const result = await client.$transaction(work, options);
        committedAt[n] = machineMs();
        return result;
      },
    };
    await messaging.transaction(timed, (_tx, send) =>
      send.emit(benchContract.benchHappened, { n, filling: FILLING }),
    );
  });
  return committedAt;
};

serveHelper({ emit });
