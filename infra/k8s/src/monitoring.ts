import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  IPodMonitor,
  IPrometheusRule,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';
import { named, selectorOf } from './objects.ts';

const podMonitor: IPodMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: named('services'),
  spec: {
    selector: { matchLabels: { 'tds.dev/role': 'service' } },
    podMetricsEndpoints: [
      {
        port: 'health',
        path: '/metrics',
        interval: '15s',
        // Services name themselves.
        honorLabels: true,
        relabelings: [
          { targetLabel: 'job', replacement: 'tds' },
          { sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'], targetLabel: 'service' },
        ],
      },
    ],
  },
};

/** CloudNativePG measures each of its instances, and its plugin the backups. */
const postgresMonitor: IPodMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: named('postgres'),
  spec: {
    selector: { matchLabels: { ...selectorOf('postgres').matchLabels, 'cnpg.io/podRole': 'instance' } },
    podMetricsEndpoints: [
      {
        port: 'metrics',
        relabelings: [
          { sourceLabels: ['__meta_kubernetes_pod_label_cnpg_io_cluster'], targetLabel: 'cnpg_cluster' },
        ],
      },
    ],
  },
};

type Groups = NonNullable<IPrometheusRule['spec']['groups']>;

/** The alerts and objectives of infra/observability. */
export const monitoringObjects = () => {
  const file = path.join(workspaceRoot, 'infra/observability/rules.yml');
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: Groups };
  const rules: IPrometheusRule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: named('rules'),
    spec: { groups },
  };
  return [podMonitor, postgresMonitor, rules];
};
