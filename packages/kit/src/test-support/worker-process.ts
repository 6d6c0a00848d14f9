import type { SqlExecutor } from '@tds/base';
import { LeaseLost } from '@tds/base';
import { pauseFor } from '@tds/base/internals';
import { poolClient } from '@tds/base/testing';
import { defineContract, defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { runService } from '../run/run-service.ts';
import type { Handlers, Kit } from '../service.ts';

/**
 * A service for tests that kill and freeze processes. Every effect is a row of the table `effects`, which nothing keeps
 * from holding the same effect twice. `failures` of a task: attempts before it succeeds; `isHeld`: until there is a row `go`.
 */
const payload = z.object({
  key: z.string(),
  failures: z.number().default(0),
  slowMs: z.number().default(0),
  isHeld: z.boolean().default(false),
});
const once = { leaseMs: 1_500, concurrency: 4, timeLimitMs: null };
const status = defineContract('status', {
  tasks: {
    // Each time that its connections are cut may cost an attempt.
    doWork: { payload, backoffMs: Array<number>(20).fill(50), ...once },
    followUp: {
      payload: z.object({ key: z.string() }),
      // Each death may cost an attempt.
      backoffMs: Array<number>(20).fill(50),
      ...once,
    },
    /** Its process never survives the call. */
    callStranger: { payload: z.object({ key: z.string() }), backoffMs: [50], ...once },
    /** How many processes it kills, the first two while `beside` others run. */
    poison: {
      payload: z.object({ key: z.string(), kills: z.number(), beside: z.number() }),
      backoffMs: [50, 50, 50],
      ...once,
    },
  },
  events: { thingHappened: { payload: z.object({ key: z.string() }) } },
});
const surface = defineSurface(status, {
  subscriptions: [status.thingHappened],
  schedules: { tick: { everySeconds: 1 } },
});

type Tasks = Handlers<typeof surface>['tasks'];
const noSignal = new AbortController().signal;

const effect = (tx: SqlExecutor, kind: string, key: string) =>
  tx.$executeRawUnsafe('INSERT INTO effects (kind, key) VALUES ($1, $2)', kind, key);

const count = async (client: SqlExecutor, kind: string): Promise<number> => {
  const rows = await client.$queryRawUnsafe<object[]>('SELECT FROM effects WHERE kind = $1', kind);
  return rows.length;
};

const die = (): void => void process.kill(process.pid, 'SIGKILL');

/** The tasks that end their process. */
const deadlyHandlers = (client: SqlExecutor): Pick<Tasks, 'callStranger' | 'poison'> => ({
  callStranger: async ({ key }) => {
    await effect(client, 'called', key);
    die();
  },
  poison: async ({ key, kills, beside }) => {
    const killed = await count(client, 'killed');
    if (killed === kills) return void (await effect(client, 'survived', key));
    while (killed < 2 && (await count(client, 'begun')) < beside * (killed + 1)) await pauseFor(10, noSignal);
    await effect(client, 'killed', key);
    die();
  },
});

const createHandlers = ({ db, messaging }: Kit<typeof surface>): Handlers<typeof surface> => {
  const client = poolClient(db);
  return {
    commands: {},
    tasks: {
      ...deadlyHandlers(client),
      doWork: async ({ key, failures, slowMs, isHeld }, { attempt, complete }) => {
        await effect(client, 'begun', key);
        if (attempt <= failures) throw new Error('not yet');
        while (isHeld && (await count(client, 'go')) === 0) await pauseFor(10, noSignal);
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
      followUp: async ({ key }, { complete }) => {
        await client.$transaction(async (tx) => {
          await effect(tx, 'followed', key);
          await complete(tx);
        });
      },
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

await runService({ surface, start: async (kit: Kit<typeof surface>) => createHandlers(kit) }, process.env);
