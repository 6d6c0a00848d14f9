import { PORTS } from '@tds/docker';
import { LAST_RESORT_MS } from '@tds/kit';
import { type Config, storedServiceNames } from '@tds/provisioning';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IContainer, IEnvVar, IProbe, ITopologySpreadConstraint } from 'kubernetes-models/v1';
import {
  account,
  confined,
  fromSecret,
  named,
  podTemplate,
  resources,
  selectorOf,
  servicesImage,
  settings,
  TMP,
} from './objects.ts';

type Sizing = {
  readonly cpu: string;
  readonly memory: string;
  readonly most: string;
  readonly tmp?: string;
};

/** A service takes 75 to 100 MB after some hundred requests (docs/operations.md); those below hold bodies, streams or files. */
const usual: Sizing = { cpu: '100m', memory: '128Mi', most: '512Mi' };
const sizings: Readonly<Record<string, Sizing>> = {
  gateway: { cpu: '250m', memory: '192Mi', most: '1Gi' },
  'transcript-fetcher': { cpu: '250m', memory: '192Mi', most: '768Mi' },
  archiver: { ...usual, memory: '192Mi', most: '768Mi', tmp: '1Gi' },
  'webhook-dispatcher': { ...usual, cpu: '200m' },
};

/** Endpoints and load balancers learn that a pod ends after it does: until then the gateway answers as before. */
const DRAIN_SECONDS: Readonly<Record<string, number>> = { gateway: 10 };
const SPARE_SECONDS = 5;

/** Longer than the drain and the time after which the process ends itself. */
const graceSecondsOf = (name: string): number =>
  (DRAIN_SECONDS[name] ?? 0) + LAST_RESORT_MS / 1_000 + SPARE_SECONDS;

/** Files that operators change while the service runs: the whole folder, because a single file would stay as it was mounted. */
const PLATFORM_FILES = { configMap: 'platform-strategies', mountPath: '/etc/tds/platform' };

const environmentOf = (name: string, { secrets }: Config): IEnvVar[] => [
  { name: 'INSTANCE_ID', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  { name: 'HEALTH_HOST', value: '0.0.0.0' },
  { name: 'HEALTH_PORT', value: String(PORTS.health) },
  ...(name === 'gateway'
    ? [
        { name: 'HOST', value: '0.0.0.0' },
        { name: 'PORT', value: String(PORTS.http) },
      ]
    : []),
  ...secrets.map((secret) => fromSecret(name, secret.name, secret.optional)),
];

const probe = (path: string, periodSeconds: number, failureThreshold: number): IProbe => ({
  httpGet: { path, port: 'health' },
  periodSeconds,
  timeoutSeconds: 3,
  failureThreshold,
});

/** Ready says that servers and rights are there; live only that the event loop turns, so an absent broker restarts no pod. */
const containerOf = (
  name: string,
  config: Config,
  { cpu, memory, most }: Sizing,
): Omit<IContainer, 'name'> => {
  const drain = DRAIN_SECONDS[name];
  return {
    image: servicesImage,
    workingDir: `/app/services/${name}`,
    command: ['node', 'src/main.ts'],
    envFrom: settings,
    env: environmentOf(name, config),
    ports: [
      { name: 'health', containerPort: PORTS.health },
      ...(name === 'gateway' ? [{ name: 'http', containerPort: PORTS.http }] : []),
    ],
    startupProbe: probe('/ready', 2, 60),
    readinessProbe: probe('/ready', 5, 3),
    livenessProbe: probe('/live', 10, 3),
    ...(drain ? { lifecycle: { preStop: { sleep: { seconds: drain } } } } : {}),
    resources: resources(cpu, memory, most),
  };
};

/** Waits until the job `databases` has brought the service's databases to this release. */
const awaitDatabases = (name: string, { secrets }: Config): IContainer => ({
  name: 'await-databases',
  image: servicesImage,
  workingDir: '/app',
  command: ['node', 'infra/deploy/provisioning/src/await-databases.ts', name],
  env: secrets
    .filter((secret) => secret.name.endsWith('DATABASE_URL'))
    .map((secret) => fromSecret(name, secret.name)),
  resources: resources('50m', '64Mi', '256Mi'),
  securityContext: confined,
  volumeMounts: [TMP],
});

const spreadOver = (
  name: string,
  topologyKey: string,
  whenUnsatisfiable: ITopologySpreadConstraint['whenUnsatisfiable'],
): ITopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable,
  labelSelector: selectorOf(name),
  // Each release counts for itself.
  matchLabelKeys: ['pod-template-hash'],
});

/** Without `replicas`: autoscalers or the overlay set them. */
const deployment = (name: string, config: Config): IDeployment => {
  const sizing = sizings[name] ?? usual;
  const hasDatabase = storedServiceNames.includes(name) || config.variables.includes('OBJECTS_DATABASE_URL');
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named(name),
    spec: {
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: selectorOf(name),
      template: podTemplate(name, {
        container: containerOf(name, config, sizing),
        ...(hasDatabase ? { initContainers: [awaitDatabases(name, config)] } : {}),
        terminationGracePeriodSeconds: graceSecondsOf(name),
        topologySpreadConstraints: [
          spreadOver(name, 'kubernetes.io/hostname', 'DoNotSchedule'),
          spreadOver(name, 'topology.kubernetes.io/zone', 'ScheduleAnyway'),
        ],
        ...(sizing.tmp ? { tmp: sizing.tmp } : {}),
        files: config.variables.includes('PLATFORM_STRATEGIES_FILE') ? PLATFORM_FILES : undefined,
      }),
    },
  };
};

/** A pod that is not ready serves no caller, so it does not keep a machine from being drained while the broker is away. */
const disruptions = (name: string): IPodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: named(name),
  spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: selectorOf(name) },
});

export const serviceObjects = (name: string, config: Config) => [
  deployment(name, config),
  account(name),
  disruptions(name),
];
