import { withClient } from '@tds/servers';
import { until } from './databases.ts';

export type Filled = {
  readonly url: string;
  readonly accountIds: readonly string[];
  readonly count: number;
  readonly due: string;
};

/** Writes waiting deliveries, spread over the webhooks of these accounts and due after `due`. No process reads them before `beginDeliveries`. */
export const fillDeliveries = ({ url, accountIds, count, due }: Filled): Promise<void> =>
  withClient(url, async (client) => {
    // A million rows take longer than a service's statement may.
    await client.query('SET statement_timeout = 0');
    await client.query(
      `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, due_at, created_at)
       SELECT gen_random_uuid(), e.account_id, e.id, gen_random_uuid(), 'webhook.test',
         '{"id":"0198c5d0-0000-7000-8000-000000000001","type":"webhook.test","data":{}}', w.secret_id, false,
         now() + $2::interval, now()
       FROM webhooks w JOIN endpoints e ON e.account_id = w.account_id AND e.url = w.url,
         generate_series(1, $3::int / cardinality($1::uuid[]))
       WHERE w.account_id = ANY($1::uuid[])`,
      [accountIds, due, count],
    );
  });

type Settled = Readonly<Record<'postgresUrl' | 'ownerUrl', string>>;

/** Vacuums, analyzes and checkpoints, so that a measurement does not include the database's own work. */
export const settle = async ({ postgresUrl, ownerUrl }: Settled): Promise<void> => {
  await withClient(ownerUrl, (client) => client.query('VACUUM (ANALYZE) deliveries'));
  await withClient(postgresUrl, (client) => client.query('CHECKPOINT'));
};

/** Makes the deliveries of these accounts due. */
export const beginDeliveries = ({ url, accountIds }: Pick<Filled, 'url' | 'accountIds'>): Promise<void> =>
  withClient(url, async (client) => {
    const begin = (table: string) => `UPDATE ${table} SET due_at = now() WHERE account_id = ANY($1::uuid[])`;
    for (const table of ['endpoints', 'queues']) await client.query(begin(table), [accountIds]);
  });

const RECORDED = { everyMs: 10, withinMs: 120_000 };

/** Returns the milliseconds until none of them is open. */
export const untilRecorded = ({ url, accountIds }: Pick<Filled, 'url' | 'accountIds'>): Promise<number> =>
  withClient(url, async (client) => {
    const startedAt = performance.now();
    await until(async () => {
      const { rowCount } = await client.query(
        `SELECT FROM endpoints AS e JOIN deliveries AS d ON d.endpoint_id = e.id AND d.state = 'waiting'
         WHERE e.account_id = ANY($1::uuid[])
         UNION ALL SELECT FROM deliveries WHERE account_id = ANY($1::uuid[]) AND state = 'sending' LIMIT 1`,
        [accountIds],
      );
      return rowCount ? 'not all webhooks were delivered' : null;
    }, RECORDED);
    return performance.now() - startedAt;
  });
