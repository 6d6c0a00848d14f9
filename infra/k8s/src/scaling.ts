import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IHorizontalPodAutoscaler, IMetricSpec } from 'kubernetes-models/autoscaling/v2';
import { named } from './objects.ts';

/** A query of Prometheus, and how much of its answer one instance takes. */
type Signal = { readonly query: string; readonly perInstance: number };

type Scaling = {
  readonly min: number;
  readonly max: number;
  /** Percent of the requested CPU; undefined if the service only waits. */
  readonly cpu?: number;
  readonly signal?: Signal;
  /** What it scales by, and what is the limit beyond `max`. */
  readonly why: string;
};

export type Sizing = {
  readonly cpu: string;
  readonly memory: string;
  readonly most: string;
  readonly tmp?: string;
};

/** Every instance reads the same rows, so the answers of instances are one number: max, never sum. */
const overdue = (service: string, what: string, perInstance: number): Signal => ({
  query: `max(tds_backlog_oldest_seconds{service="${service}",what=~"${what}"})`,
  perInstance,
});
const taskOverdue = (service: string, task: string, perInstance: number): Signal => ({
  query: `max(tds_task_oldest_due_seconds{service="${service}",name="${task}"})`,
  perInstance,
});
/** While the circuit of every route is open, more instances only knock on a closed door. */
const waitingReads: Signal = {
  query:
    'max(tds_backlog{service="transcript-fetcher",what="reads"}) * on() (1 - min(tds_circuit_open{service="transcript-fetcher"}))',
  perInstance: 16,
};

/** A judgement for each service. Two instances at least: schedules, listeners and hints live in the process. */
const scalings: Readonly<Record<string, Scaling>> = {
  gateway: {
    ...{ min: 2, max: 8, cpu: 60 },
    why: 'requests and progress streams cost CPU; 10,000 streams take 450 MiB',
  },
  identity: { min: 2, max: 4, cpu: 60, why: 'it answers commands, and nothing of it waits for long' },
  'credits-ledger': {
    ...{ min: 2, max: 3, cpu: 70 },
    why: 'commands that arrive together are one commit: more instances make smaller batches; its Postgres is the limit',
  },
  'transcript-fetcher': {
    ...{ min: 2, max: 6, cpu: 75, signal: waitingReads },
    why: 'waiting callers; PLACES_FOR_READS and PLACES_FOR_JOBS bound the requests of all instances together, so rows of jobs are no signal',
  },
  search: {
    ...{ min: 2, max: 4, cpu: 70, signal: taskOverdue('search', 'make-listing', 5) },
    why: 'listings are tasks; the units of the Data API are the limit',
  },
  'bulk-orchestrator': {
    ...{ min: 2, max: 4, cpu: 70, signal: overdue('bulk-orchestrator', 'jobs', 5) },
    why: 'jobs are due rows; the fetcher does their work',
  },
  archiver: {
    ...{ min: 2, max: 4, cpu: 80, signal: taskOverdue('archiver', 'build-archive', 10) },
    why: 'builds are tasks; the object store is the limit',
  },
  'monitor-scheduler': {
    ...{ min: 2, max: 4, signal: overdue('monitor-scheduler', 'feeds|turns', 60) },
    why: 'feeds and turns are due rows, FEEDS_AT_ONCE in each instance; bytes of proxies are the limit',
  },
  'webhook-dispatcher': {
    ...{ min: 2, max: 6, cpu: 75, signal: overdue('webhook-dispatcher', 'deliveries', 5) },
    why: 'deliveries are due rows, DELIVERIES_AT_ONCE in each instance',
  },
  billing: {
    ...{ min: 2, max: 3, cpu: 70, signal: overdue('billing', 'purchases', 30) },
    why: 'purchases wait in rows; the rate limit of the processor is the limit',
  },
  status: {
    ...{ min: 2, max: 2, cpu: 80 },
    why: 'gateways ask every five seconds whatever the load: two for availability',
  },
};
const unmeasured: Scaling = { min: 2, max: 4, cpu: 70, why: 'a new service: no figure of its own yet' };
export const scalingOf = (name: string): Scaling => scalings[name] ?? unmeasured;

/** A service takes 75 to 100 MB after some hundred requests (docs/operations.md); those below hold bodies, streams or files. */
const usual: Sizing = { cpu: '100m', memory: '128Mi', most: '512Mi' };
const sizings: Readonly<Record<string, Sizing>> = {
  gateway: { cpu: '250m', memory: '192Mi', most: '1Gi' },
  'transcript-fetcher': { cpu: '250m', memory: '192Mi', most: '768Mi' },
  archiver: { ...usual, memory: '192Mi', most: '768Mi', tmp: '1Gi' },
  'webhook-dispatcher': { ...usual, cpu: '200m' },
};
export const sizingOf = (name: string): Sizing => sizings[name] ?? usual;

/** Up soon; down by one pod a minute after five quiet minutes, so that leases are given back one worker at a time. */
const behavior = {
  scaleUp: { stabilizationWindowSeconds: 30 },
  scaleDown: {
    stabilizationWindowSeconds: 300,
    policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }],
  },
};
const PROMETHEUS = 'http://prometheus-operated.monitoring.svc:9090';

const targetOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });
const metadataOf = (name: string, { why }: Scaling) => ({
  ...named(name),
  annotations: { 'tds.dev/scaling': why },
});

const byCpu = (name: string, scaling: Scaling, percent: number): IHorizontalPodAutoscaler => {
  const target = { type: 'Utilization', averageUtilization: percent };
  const metric: IMetricSpec = { type: 'Resource', resource: { name: 'cpu', target } };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadataOf(name, scaling),
    spec: {
      scaleTargetRef: targetOf(name),
      minReplicas: scaling.min,
      maxReplicas: scaling.max,
      metrics: [metric],
      behavior,
    },
  };
};

const bySignal = (name: string, scaling: Scaling, { query, perInstance }: Signal): IScaledObject => {
  const { min, max, cpu } = scaling;
  const metadata = {
    serverAddress: PROMETHEUS,
    query,
    threshold: String(perInstance),
    ignoreNullValues: 'false',
  };
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: metadataOf(name, scaling),
    spec: {
      scaleTargetRef: targetOf(name),
      pollingInterval: 15,
      minReplicaCount: min,
      maxReplicaCount: max,
      // Without Prometheus no instance is taken away.
      fallback: { failureThreshold: 3, replicas: min, behavior: 'currentReplicasIfHigher' },
      advanced: { horizontalPodAutoscalerConfig: { behavior } },
      triggers: [
        { type: 'prometheus', metricType: 'AverageValue', metadata },
        ...(cpu
          ? [{ type: 'cpu', metricType: 'Utilization' as const, metadata: { value: String(cpu) } }]
          : []),
      ],
    },
  };
};

export const scaler = (name: string): IHorizontalPodAutoscaler | IScaledObject => {
  const scaling = scalingOf(name);
  return scaling.signal ? bySignal(name, scaling, scaling.signal) : byCpu(name, scaling, scaling.cpu ?? 70);
};
