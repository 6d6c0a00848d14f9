import type { Evidence } from '@tds/audit';
import { storedServiceNames } from '@tds/provisioning';

/** What is begun and not ended, counted by one statement of its service. */
type OpenWork = { readonly kind: string; readonly service: string; readonly sql: string };

/** A notice about a webhook waits for hours on purpose, so that its owner gets one mail; and a daily mail for the morning. */
const messages = (within: string) => `
  SELECT (SELECT count(*) FROM messaging.outbox WHERE published_at IS NULL)
    + (SELECT count(*) FROM messaging.tasks WHERE state = 'ready' AND due_at < now() + interval '${within}'
        AND name NOT IN ('send-webhook-notice', 'send-daily-mail')) AS count`;

const openWork = (within: string): OpenWork[] => [
  ...storedServiceNames.map((service) => ({ kind: `messages of ${service}`, service, sql: messages(within) })),
  {
    ...{ kind: 'fetches', service: 'transcript-fetcher' },
    sql: `SELECT (SELECT count(*) FROM operations WHERE ended_at IS NULL) + (SELECT count(*) FROM settlements) AS count`,
  },
  {
    ...{ kind: 'searches', service: 'search' },
    sql: `
      SELECT (SELECT count(*) FROM searches WHERE state IN ('open', 'fetched') OR (state = 'failed' AND settlement IS NULL))
        + (SELECT count(*) FROM listings WHERE state = 'open') AS count`,
  },
  {
    ...{ kind: 'jobs', service: 'bulk-orchestrator' },
    sql: 'SELECT count(*) AS count FROM jobs WHERE finished_at IS NULL AND pause_reason IS NULL',
  },
  {
    ...{ kind: 'deliveries', service: 'webhook-dispatcher' },
    sql: `SELECT count(*) AS count FROM deliveries WHERE ended_at IS NULL AND due_at < now() + interval '${within}'`,
  },
];

/** How much of each kind is open, without kinds of which nothing is. What is tried again later counts if that is due `within` an interval. */
export const countOpenWork = async (
  { rows }: Pick<Evidence, 'rows'>,
  within = '2 minutes',
): Promise<Record<string, number>> => {
  const open: Record<string, number> = {};
  for (const { kind, service, sql } of openWork(within)) {
    const [row] = await rows<{ count: number | string }>(service, sql);
    if (Number(row?.count) > 0) open[kind] = Number(row?.count);
  }
  return open;
};
