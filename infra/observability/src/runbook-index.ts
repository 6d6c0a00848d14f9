import path from 'node:path';
import { type Alert, runbookOf } from './alert.ts';

const HEAD = `# Runbooks

One for each alert: symptom, check, repair. \`INSTANCE\` is the private address in the alert; \`SERVICE\` and \`NAME\` are its labels. If the
system is not that of \`npm start\`, give \`npm run\` commands \`--data\` or \`--postgres\`. Statements are for the database of the service in the alert. What is
measured and how: [observability](../../infra/observability/README.md).

| Alert | Act | Means |
|---|---|---|
`;

const TAIL = `
## What you need

\`curl\`, \`psql\` and \`redis-cli\` (\`apt-get install curl postgresql-client redis-tools\`), and Prometheus for names that begin with \`tds_\`. For a local run
\`.local/data/endpoints.json\` has the addresses with passwords: REDIS_URL is \`redis\` or \`redisCache\`, PLATFORM is \`platform\`, and a service's database is that of
\`postgres\` under the service's name with underscores (\`.../credits_ledger?sslmode=disable\`); \`scrape-targets.json\` has each INSTANCE.

## Who holds a lock

Services end their transactions within seconds. A transaction older than a minute belongs to a foreign session, which blocks everything that it has locked:

\`\`\`sql
SELECT pid, application_name, usename, client_addr, state, now() - xact_start AS since, left(query, 80) AS query
FROM pg_stat_activity
WHERE datname = current_database() AND xact_start < now() - interval '1 minute' ORDER BY xact_start;
\`\`\`

Services have their names in \`application_name\`. Workers skip locked rows, so a blocked session may not be visible; if one waits,
\`SELECT pid, pg_blocking_pids(pid) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0\` shows for whom, until it gives up after seconds.
\`SELECT pg_terminate_backend(PID)\` ends a session and undoes what it has not committed.
`;

const ACT = { page: 'at once', ticket: 'on the next day' } as const;

/** An alert of several windows is acted upon as its shortest one asks for. */
export const runbookIndex = (alerts: readonly Alert[]): string => {
  const first = [...Map.groupBy(alerts, ({ name }) => name).values()].flatMap(([alert]) => alert ?? []);
  const lines = first.map(
    (alert) =>
      `| [${alert.name}](${path.basename(runbookOf(alert))}) | ${ACT[alert.severity]} | ${alert.summary} |\n`,
  );
  return [HEAD, ...lines, TAIL].join('');
};
