import { type Alert, runbookOf } from './alert.ts';

const HEAD = `# Alerts

What each alert means, how soon it wants an operator, and its runbook. Generated from \`alerts.yml\` and \`src/slos.ts\` of \`infra/deploy/observability\`.

| Alert | Act | Means |
|---|---|---|
`;

const ACT = { page: 'at once', ticket: 'on the next day' } as const;

/** An alert of several windows is acted upon as its shortest one asks for. */
export const alertIndex = (alerts: readonly Alert[]): string => {
  const first = [...Map.groupBy(alerts, ({ name }) => name).values()].flatMap(([alert]) => alert ?? []);
  const lines = first.map(
    (alert) =>
      `| [${alert.name}](${runbookOf(alert).replace('docs/', '../')}) | ${ACT[alert.severity]} | ${alert.summary} |\n`,
  );
  return [HEAD, ...lines].join('');
};
