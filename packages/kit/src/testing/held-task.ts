import type { SqlExecutor } from '@tds/base';
import { LeaseLost } from '@tds/base';
import type { PayloadOf, Task } from '@tds/contracts';
import type { TaskContext } from '@tds/messaging';
import { completeTask } from '@tds/queue/internals';
import { dueRows } from '@tds/test-kit';
import pg, { type Pool } from 'pg';
import { testContext } from './caller.ts';

const rowsIn = (database: pg.Pool | pg.Client, service: string) =>
  dueRows(service, (text, values) => database.query(text, values));

/** For longer than any test: no worker of the service begins it meanwhile. */
const HOLD = `
  INSERT INTO messaging.tasks (name, payload, attempts, lease_epoch, lease_until)
  VALUES ($1, $2, 1, 1, clock_timestamp() + interval '1 hour') RETURNING id`;

/** A task in the hands of the test, which runs its handler as a worker does. */
export type HeldTask = {
  readonly context: TaskContext;
  /** Another worker has it from now on. */
  lose(): Promise<void>;
  state(): Promise<string>;
};

export const holdTask = async <T extends Task>(
  pool: Pool,
  { wireName }: T,
  payload: PayloadOf<T>,
): Promise<HeldTask> => {
  const { rows } = await pool.query<{ id: string }>(HOLD, [wireName, JSON.stringify(payload)]);
  const lease = { id: rows[0]?.id ?? '', epoch: '1' };
  const requireLease = async (change: Promise<boolean>): Promise<void> => {
    if (!(await change)) throw new LeaseLost(lease.id);
  };
  return {
    context: {
      ...testContext(),
      ...{ taskId: lease.id, attempt: 1, isLastAttempt: false },
      complete: (tx: SqlExecutor) => requireLease(completeTask(tx, lease)),
    },
    lose: async () =>
      await rowsIn(pool, 'the holder').loseLeases(
        'messaging.tasks',
        { where: 'id = $1', values: [lease.id] },
        '1 hour',
      ),
    state: async () =>
      (await pool.query<{ state: string }>('SELECT state FROM messaging.tasks WHERE id = $1', [lease.id]))
        .rows[0]?.state ?? 'gone',
  };
};

/** All tasks and schedules that dead processes of the service held are free, once none of it is alive. */
export const passLeases = async (service: string, { url }: { readonly url: string }): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await rowsIn(client, service).endLeases('messaging.tasks', 'messaging.schedules');
  } finally {
    await client.end();
  }
};
