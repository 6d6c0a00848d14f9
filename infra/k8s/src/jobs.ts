import type { Network } from '@tds/docker';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
import type { IContainer } from 'kubernetes-models/v1';
import {
  account,
  fromSecret,
  named,
  podTemplate,
  resources,
  secretFiles,
  selectorOf,
  servicesImage,
  settings,
} from './objects.ts';

const common = {
  image: servicesImage,
  workingDir: '/app',
  resources: resources('100m', '128Mi', '512Mi'),
} satisfies Omit<IContainer, 'name'>;

const DATABASES = '/run/secrets/databases';
const DAY_SECONDS = 86_400;

/** The template of a job cannot be changed, so Argo CD and Flux delete the job of the release before and create their own. */
const recreated = {
  'argocd.argoproj.io/hook': 'Sync',
  'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
  'kustomize.toolkit.fluxcd.io/force': 'enabled',
};

/** Creates databases, roles and rights, migrates, and ends; services wait for it. */
const databases = (): IJob => {
  const { mount, volume } = secretFiles('databases');
  const container = {
    ...common,
    command: ['node', 'infra/provisioning/src/databases-job.ts', DATABASES],
    volumeMounts: [mount],
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { ...named('databases'), annotations: recreated },
    spec: {
      backoffLimit: 10,
      activeDeadlineSeconds: 1_800,
      ttlSecondsAfterFinished: DAY_SECONDS,
      template: podTemplate('databases', { container, restartPolicy: 'Never', volumes: [volume] }, 'job'),
    },
  };
};

/** Compares the books of all databases, and those of the payment processor, every night; it fails if anything is wrong. */
const books = (): ICronJob => {
  const { mount, volume } = secretFiles('books');
  const container = {
    ...common,
    command: ['node', 'infra/audit/src/books.ts', '--databases', DATABASES],
    envFrom: settings,
    env: [fromSecret('books', 'STRIPE_SECRET_KEY', true)],
    volumeMounts: [mount],
    resources: resources('100m', '256Mi', '1Gi'),
  };
  const template = podTemplate('books', { container, restartPolicy: 'Never', volumes: [volume] }, 'job');
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: named('books'),
    spec: {
      schedule: '17 4 * * *',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3_600,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          activeDeadlineSeconds: 7_200,
          ttlSecondsAfterFinished: 7 * DAY_SECONDS,
          template,
        },
      },
    },
  };
};

/** Creates the streams of the broker, and again if the broker loses them. */
const streams = (): IDeployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: named('streams'),
  spec: {
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: selectorOf('streams'),
    template: podTemplate(
      'streams',
      {
        container: {
          ...common,
          command: ['node', 'infra/provisioning/src/streams.ts'],
          envFrom: settings,
          env: [{ name: 'READY_FILE', value: '/tmp/ready' }, fromSecret('streams', 'NATS_NKEY_SEED')],
          readinessProbe: { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 5 },
        },
        terminationGracePeriodSeconds: 30,
      },
      'job',
    ),
  },
});

/** By name: what a job reaches. */
export const jobReach = {
  databases: ['postgres'],
  streams: ['nats'],
  books: ['postgres', 'processor'],
} as const satisfies Readonly<Record<string, readonly Network[]>>;

export const jobObjects = () => [
  ...[databases(), streams(), books()],
  ...Object.keys(jobReach).map((name) => account(name)),
];
