import { defineContract, defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { LeaseLost } from '../errors/lease-lost.ts';
import { runService } from '../run/run-service.ts';
import type { Handlers, Kit, SqlExecutor } from '../runtime/service.ts';
import { poolClient } from '../testing/pool-client.ts';

/**
 * A service for tests that kill and freeze processes. Every effect is a row of the table `effects`, which nothing keeps
 * from holding the same effect twice. `failures` of a task: attempts before it succeeds.
 */
const payload = z.object({ key: z.string(), failures: z.number().default(0), slowMs: z.number().default(0) });
const once = { leaseMs: 1_500, concurrency: 4 };
const status = defineContract('status', {
  tasks: {
    // Each time that its connections are cut may cost an attempt.
    doWork: { payload, backoffMs: Array<number>(20).fill(50), ...once },
    followUp: {
      payload: z.object({ key: z.string() }),
      backoffMs: [50],
      maxInFlightPerPartition: 1,
      ...once,
    },
  },
  events: { thingHappened: { payload: z.object({ key: z.string() }) } },
});
const surface = defineSurface(status, {
  subscriptions: [status.thingHappened],
  schedules: { tick: { everySeconds: 1 } },
});

const effect = (tx: SqlExecutor, kind: string, key: string) =>
  tx.$executeRawUnsafe('INSERT INTO effects (kind, key) VALUES ($1, $2)', kind, key);

const handlersOf = ({ db, messaging }: Kit<typeof surface>): Handlers<typeof surface> => {
  const client = poolClient(db);
  return {
    commands: {},
    tasks: {
      doWork: async ({ key, failures, slowMs }, { attempt, complete }) => {
        await effect(client, 'begun', key);
        if (attempt <= failures) throw new Error('not yet');
        await new Promise((resolve) => setTimeout(resolve, slowMs));
        const run = messaging.transaction(client, async (tx, send) => {
          await effect(tx, 'worked', key);
          await send.emit(status.thingHappened, { key });
          await send.enqueue(status.followUp, { key }, { partition: 'one' });
          await complete(tx);
        });
        await run.catch(async (error: unknown) => {
          if (error instanceof LeaseLost) await effect(client, 'lease-lost', key);
          throw error;
        });
      },
      followUp: ({ key }, { complete }) =>
        client.$transaction(async (tx) => {
          await effect(tx, 'followed', key);
          await complete(tx);
        }),
    },
    subscriptions: {
      thingHappened: async ({ key }, { once }) => {
        await client.$transaction((tx) => once(tx, async () => void (await effect(tx, 'handled', key))));
      },
    },
    broadcasts: {},
    schedules: { tick: async () => void (await effect(client, 'ticked', '')) },
  };
};

await runService({ surface, start: async (kit: Kit<typeof surface>) => handlersOf(kit) }, process.env);
