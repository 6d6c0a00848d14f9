import { type Alert, runbookOf } from './alert.ts';
import { alertGroups } from './alerts.ts';
import { recordings } from './slos.ts';

export const annotationsOf = (alert: Alert) => ({ summary: alert.summary, runbook: runbookOf(alert) });

/** An alert says for which window it stands where several alerts have its name. */
export const labelsOf = ({ severity, labels: { window } }: Alert) => ({
  severity,
  ...(window && { window }),
});

const toRule = (alert: Alert) => ({
  alert: alert.name,
  expr: alert.expr,
  for: alert.for,
  labels: labelsOf(alert),
  annotations: annotationsOf(alert),
});

/** As Prometheus reads it. */
export const rules = {
  groups: [
    { name: 'objectives-recorded', rules: recordings },
    ...Object.entries(alertGroups).map(([name, alerts]) => ({ name, rules: alerts.map(toRule) })),
  ],
};
