import path from 'node:path';
import { type Alert, runbookOf } from './alert.ts';
import { drills } from './drills.ts';

const HEAD = `# Runbooks

One for each alert: what it means for customers, what to look at, what to do. \`INSTANCE\` is the private address in the alert, \`SERVICE\` and
\`NAME\` are its labels. \`npm run\` commands take \`--data\` or \`--postgres\` where the system is not the one of \`npm start\`; statements are for the database of
the service that the alert names. What is measured and how: [observability](../../infra/observability/README.md).

| Alert | Act | Means |
|---|---|---|
`;

const TAIL = `
## What it takes

\`curl\`, \`psql\` and \`redis-cli\` (\`apt-get install curl postgresql-client redis-tools\`), and Prometheus for whatever begins with \`tds_\`. Of a local run
\`.local/data/endpoints.json\` has the addresses with their passwords: REDIS_URL is \`redis\` or \`redisCache\` there, PLATFORM \`platform\`, and the database of a service is
that of \`postgres\` with another name, its service's with underscores (\`.../credits_ledger?sslmode=disable\`); \`scrape-targets.json\` beside it has each INSTANCE.

## Who holds a lock

Services end their own transactions within seconds. A session that is older than a minute is somebody else's, and whatever it has locked stands still:

\`\`\`sql
SELECT pid, application_name, usename, client_addr, state, now() - xact_start AS since, left(query, 80) AS query
FROM pg_stat_activity
WHERE datname = current_database() AND xact_start < now() - interval '1 minute' ORDER BY xact_start;
\`\`\`

Services have their names in \`application_name\`. Work that is claimed passes over rows that are locked, so that nobody may wait for that session; where somebody does,
\`SELECT pid, pg_blocking_pids(pid) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0\` says for whom, now and then: waiting is given up after seconds.
\`SELECT pg_terminate_backend(PID)\` ends a session, and undoes what it has not committed.

## Fired on purpose

Each of them was brought about so, was seen to fire, and ended once its runbook was followed or the cause undone, with \`for\` and windows shortened to seconds. A "stranger" is a session of psql that keeps its transaction open; the simulator is told at \`PLATFORM/__simulator/faults\`.

| Alert | How |
|---|---|
`;

const ACT = { page: 'at once', ticket: 'on the next day' } as const;

/** An alert of several windows is acted upon as its shortest one asks for. */
export const runbookIndex = (alerts: readonly Alert[]): string => {
  const first = [...Map.groupBy(alerts, ({ name }) => name).values()].flatMap(([alert]) => alert ?? []);
  const lines = first.map(
    (alert) =>
      `| [${alert.name}](${path.basename(runbookOf(alert))}) | ${ACT[alert.severity]} | ${alert.summary} |\n`,
  );
  const fired = first.map(({ name }) => `| ${name} | ${drills[name]} |\n`);
  return [HEAD, ...lines, TAIL, ...fired].join('');
};
