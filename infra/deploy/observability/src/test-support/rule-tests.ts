import type { Alert } from '../alert.ts';
import { alerts } from '../alerts.ts';
import { annotationsOf, labelsOf, rules } from '../rules.ts';

const AFTER = '10m';

const withThisName = ({ name }: Alert): Alert[] => alerts.filter((alert) => alert.name === name);

const expected = (alert: Alert) => ({
  exp_labels: { ...alert.labels, ...labelsOf(alert) },
  exp_annotations: annotationsOf(alert),
});

const seriesOf = ({ examples }: Alert, which: 'fires' | 'rests') =>
  examples.map((example) => ({ series: example.series, values: example[which] }));

const testOf = (alert: Alert, which: 'fires' | 'rests') => ({
  name: `${alert.name} ${which}`,
  interval: '1m',
  input_series: seriesOf(alert, which),
  alert_rule_test: [
    {
      eval_time: alert.at ?? AFTER,
      alertname: alert.name,
      // All of one objective fire together: the same series burn every window.
      exp_alerts: which === 'fires' ? withThisName(alert).map(expected) : [],
    },
  ],
});

/** As promtool reads it: each alert fires on its examples, and not where they rest. */
export const ruleTests = (rulesFile: string) => ({
  rule_files: [rulesFile],
  // As seldom as examples are looked at: every rule is computed each time.
  evaluation_interval: '5m',
  // Alerts read what was recorded at the same time: values of five minutes ago are too old.
  group_eval_order: rules.groups.map(({ name }) => name),
  tests: alerts.flatMap((alert) => [testOf(alert, 'fires'), testOf(alert, 'rests')]),
});
