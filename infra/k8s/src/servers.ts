import { PORTS } from '@tds/docker';
import type { IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IContainer, IEnvVar, IPodSpec, IProbe, IService } from 'kubernetes-models/v1';
import { account, named, podTemplate, resources, secretFiles, selectorOf, serverOf } from './objects.ts';
import { disruptions } from './service.ts';

type ServerParts = {
  /** Its name in docker-compose.yml, which gives image and command. */
  readonly name: string;
  readonly user: number;
  readonly replicas?: number;
  readonly ports: readonly number[];
  readonly dataDir: string;
  /** A further folder that it writes to. */
  readonly runDir?: string;
  /** Of its volume; without one, its data is gone with the pod. */
  readonly storage?: string;
  readonly env?: IEnvVar[];
  readonly startup?: IProbe;
  readonly ready: string[];
  readonly size: IContainer['resources'];
  readonly graceSeconds: number;
  readonly affinity?: NonNullable<IPodSpec['affinity']>;
};

const containerOf = (parts: ServerParts): Omit<IContainer, 'name'> => {
  const { name, ports, dataDir, runDir, env = [], ready, startup, size } = parts;
  const { image, command, environment } = serverOf(name);
  const given = Object.entries(environment).map(([key, value]) => ({ name: key, value: String(value) }));
  const own = new Set(env.map((one) => one.name));
  return {
    image,
    args: command,
    env: [...given.filter((one) => !own.has(one.name)), ...env],
    ports: ports.map((containerPort) => ({ containerPort })),
    ...(startup ? { startupProbe: startup } : {}),
    readinessProbe: { exec: { command: ready }, periodSeconds: 5, timeoutSeconds: 5 },
    livenessProbe: { tcpSocket: { port: Number(ports[0]) }, periodSeconds: 20, failureThreshold: 6 },
    ...(size ? { resources: size } : {}),
    volumeMounts: [
      { name: 'data', mountPath: dataDir },
      ...(runDir ? [{ name: 'run', mountPath: runDir }] : []),
      secretFiles(name).mount,
    ],
  };
};

const statefulSet = (parts: ServerParts): IStatefulSet => {
  const { name, user, replicas = 1, storage, runDir, graceSeconds, affinity } = parts;
  const scratch = [...(storage ? [] : ['data']), ...(runDir ? ['run'] : [])];
  const volumes = [secretFiles(name).volume, ...scratch.map((one) => ({ name: one, emptyDir: {} }))];
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: storage ?? '' } } },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: named(name),
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: 'Parallel',
      selector: selectorOf(name),
      template: podTemplate(
        name,
        {
          container: containerOf(parts),
          user,
          volumes,
          terminationGracePeriodSeconds: graceSeconds,
          ...(affinity ? { affinity } : {}),
        },
        'server',
      ),
      ...(storage ? { volumeClaimTemplates: [claim] } : {}),
    },
  };
};

const serverObjects = (parts: ServerParts) => {
  const { name, ports } = parts;
  const service: IService = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: named(name),
    spec: {
      clusterIP: 'None',
      selector: selectorOf(name).matchLabels,
      // Brokers find each other before they are ready.
      publishNotReadyAddresses: name === 'nats',
      ports: ports.map((port) => ({ name: `tcp-${port}`, port })),
    },
  };
  const budget: IPodDisruptionBudget = disruptions(name);
  return [statefulSet(parts), service, account(name), budget];
};

/** One Postgres with all databases. */
export const postgres = () =>
  serverObjects({
    name: 'postgres',
    user: 999,
    ports: [PORTS.postgres],
    dataDir: '/var/lib/postgresql',
    runDir: '/var/run/postgresql',
    storage: '50Gi',
    ready: ['pg_isready', '--username=postgres', '--host=127.0.0.1'],
    size: resources('500m', '512Mi', '2Gi'),
    graceSeconds: 60,
  });

const health = ['wget', '-qO-', 'http://127.0.0.1:8222/healthz?js-server-only=true'];

/** One broker, or three on three machines, of which one may be away. */
export const nats = (replicas: 1 | 3) =>
  serverObjects({
    name: 'nats',
    user: 1000,
    replicas,
    ports: [PORTS.nats, PORTS.natsRoutes],
    dataDir: '/data',
    storage: '20Gi',
    env: [
      { name: 'NATS_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'GOMEMLIMIT', value: '800MiB' },
    ],
    startup: { exec: { command: health }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 60 },
    ready: health,
    size: resources('200m', '256Mi', '1Gi'),
    graceSeconds: 60,
    ...(replicas > 1 ? { affinity: apart('nats') } : {}),
  });

const apart = (name: string): NonNullable<IPodSpec['affinity']> => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: selectorOf(name) },
    ],
  },
});

/** Two small ones that hold only what may vanish: one rejects writes when it is full, the other drops the oldest. */
export const redis = () =>
  ['redis', 'redis-cache'].flatMap((name) =>
    serverObjects({
      name,
      user: 65_534,
      ports: [PORTS.redis],
      dataDir: '/data',
      ready: ['sh', '-c', 'redis-cli ping | grep -q -e PONG -e NOAUTH'],
      size: resources('100m', '64Mi', '384Mi'),
      graceSeconds: 10,
    }),
  );
