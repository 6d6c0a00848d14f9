import type { Alert } from '../alert.ts';
import { alertGroups, alerts } from '../alerts.ts';
import { annotationsOf, labelsOf, rules } from '../rules.ts';

const AFTER = '10m';

const withThisName = ({ name }: Alert): Alert[] => alerts.filter((alert) => alert.name === name);

const expectedOf = (alert: Alert) =>
  [alert.labels, ...(alert.others ?? [])].map((labels) => expected({ ...alert, labels }));

const expected = (alert: Alert) => ({
  exp_labels: { ...alert.labels, ...labelsOf(alert) },
  exp_annotations: annotationsOf(alert),
});

const seriesOf = ({ examples }: Alert, which: 'fires' | 'rests') =>
  examples.map((example) => ({ series: example.series, values: example[which] }));

const buildTest = (alert: Alert, which: 'fires' | 'rests') => ({
  name: `${alert.name} ${which}`,
  interval: '1m',
  input_series: seriesOf(alert, which),
  alert_rule_test: [
    {
      eval_time: alert.at ?? AFTER,
      alertname: alert.name,
      // All of one objective fire together: the same series burn every window.
      exp_alerts: which === 'fires' ? withThisName(alert).flatMap(expectedOf) : [],
    },
  ],
});

/** The rules that the alerts of a group need: their own, and what objectives have recorded. */
export const rulesOf = (group: string) => ({
  groups: rules.groups.filter(({ name }) => name === group || name === `${group}-recorded`),
});

/** As promtool reads it: each alert of a group fires on its examples, and not where they rest. */
export const ruleTests = (group: string, rulesFile: string) => ({
  rule_files: [rulesFile],
  // As seldom as examples are looked at: every rule is computed each time.
  evaluation_interval: '5m',
  // Alerts read what was recorded at the same time: values of five minutes ago are too old.
  group_eval_order: rulesOf(group).groups.map(({ name }) => name),
  // Those of one name have the same examples.
  tests: (alertGroups[group] ?? [])
    .filter((alert) => withThisName(alert)[0] === alert)
    .flatMap((alert) => [buildTest(alert, 'fires'), buildTest(alert, 'rests')]),
});
