import { stringify } from 'yaml';
import { alertIndex } from './alert-index.ts';
import { alerts } from './alerts.ts';
import { dashboardJson, dashboards } from './dashboards.ts';
import { rules } from './rules.ts';

const yaml = (value: object): string =>
  `# Made by src/generate.ts of alerts.yml, dashboards.yml and src/slos.ts: change those.\n${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`;

/** What is made of the tables, by its path below the folder. */
export const files: Readonly<Record<string, string>> = {
  '../../../docs/generated/alerts.md': alertIndex(alerts),
  'rules.yml': yaml(rules),
  '../k8s/components/monitoring/rules.yaml': yaml({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'rules',
      labels: {
        'app.kubernetes.io/name': 'rules',
        'app.kubernetes.io/part-of': 'transcript-delivery-service',
      },
    },
    spec: rules,
  }),
  ...Object.fromEntries(
    Object.entries(dashboards).map(([name, dashboard]) => [
      `grafana/dashboards/${name}.json`,
      `${JSON.stringify(dashboardJson(name, dashboard), null, 2)}\n`,
    ]),
  ),
};
