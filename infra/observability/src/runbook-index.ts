import path from 'node:path';
import { type Alert, runbookOf } from './alert.ts';

const HEAD = `# Runbooks

One for each alert: what it means for customers, what to look at, what to do. \`INSTANCE\` is the private address in the alert, \`SERVICE\` and
\`NAME\` are its labels. \`npm run\` commands take \`--data\` or \`--postgres\` where the system is not the one of \`npm start\`; statements are for the database of
the service that the alert names. What is measured and how: [observability](../../infra/observability/README.md).

| Alert | Act | Means |
|---|---|---|
`;

const ACT = { page: 'at once', ticket: 'on the next day' } as const;

/** An alert of several windows is acted upon as its shortest one asks for. */
export const runbookIndex = (alerts: readonly Alert[]): string => {
  const first = [...Map.groupBy(alerts, ({ name }) => name).values()].flatMap(([alert]) => alert ?? []);
  const lines = first.map(
    (alert) =>
      `| [${alert.name}](${path.basename(runbookOf(alert))}) | ${ACT[alert.severity]} | ${alert.summary} |\n`,
  );
  return HEAD + lines.join('');
};
