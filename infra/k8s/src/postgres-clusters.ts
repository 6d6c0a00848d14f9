import type { ICluster, IScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import { storedServiceNames } from '@tds/provisioning';
import { releases } from '@tds/servers';
import { labelsOf, named, resources } from './objects.ts';

const money = ['credits-ledger', 'billing'];
const work = ['transcript-fetcher', 'objects'];
const others = storedServiceNames.filter((name) => ![...money, ...work].includes(name));
type HaCluster = {
  readonly databases: readonly string[];
  readonly size: string;
  /** At most; the pools of all its services fit, each with one pod more than its scaler allows. */
  readonly connections: number;
  readonly synchronous: boolean;
};

const CLUSTER_MEMORY_MIB = 4_096;
/** A quarter of its memory for Postgres' own cache; the system keeps what else fits, and backends have the rest. */
const memoryParameters = (memoryMib: number) => ({
  shared_buffers: `${memoryMib / 4}MB`,
  effective_cache_size: `${(memoryMib * 3) / 4}MB`,
  maintenance_work_mem: `${memoryMib / 32}MB`,
});

/** By what fails and is restored together: a cluster's WAL goes back as a whole. Money waits for a standby at each commit. */
export const haClusters: Readonly<Record<string, HaCluster>> = {
  'postgres-money': { databases: money, size: '50Gi', connections: 200, synchronous: true },
  'postgres-work': { databases: work, size: '200Gi', connections: 400, synchronous: false },
  'postgres-rest': { databases: others, size: '50Gi', connections: 600, synchronous: false },
};

const BARMAN = 'barman-cloud.cloudnative-pg.io';

const cluster = (name: string, { databases, size, connections, synchronous }: HaCluster): ICluster => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Cluster',
  metadata: named(name),
  spec: {
    instances: 3,
    imageName: `ghcr.io/cloudnative-pg/postgresql:${releases.postgres}-standard-bookworm`,
    primaryUpdateStrategy: 'unsupervised',
    // The job `databases` makes databases and roles.
    enableSuperuserAccess: true,
    superuserSecret: { name: `${name}-superuser` },
    enablePDB: true,
    smartShutdownTimeout: 30,
    stopDelay: 120,
    postgresql: {
      parameters: {
        max_connections: String(connections),
        timezone: 'UTC',
        ...memoryParameters(CLUSTER_MEMORY_MIB),
        // A fifth of the volume of WAL; with the default of 1 GB a busy cluster writes all pages again every minute.
        max_wal_size: '4GB',
      },
      ...(synchronous
        ? { synchronous: { method: 'any' as const, number: 1, dataDurability: 'required' as const } }
        : {}),
    },
    affinity: {
      enablePodAntiAffinity: true,
      podAntiAffinityType: 'required',
      topologyKey: 'kubernetes.io/hostname',
    },
    inheritedMetadata: {
      labels: labelsOf('postgres'),
      annotations: { 'tds.dev/databases': databases.join(' ') },
    },
    storage: { size },
    walStorage: { size: '20Gi' },
    resources: resources('500m', '2Gi', `${CLUSTER_MEMORY_MIB}Mi`) as NonNullable<
      ICluster['spec']['resources']
    >,
    plugins: [{ name: BARMAN, isWALArchiver: true, parameters: { barmanObjectName: 'backups' } }],
  },
});

const backup = (name: string): IScheduledBackup => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'ScheduledBackup',
  metadata: named(name),
  spec: {
    schedule: '0 0 3 * * *',
    // A new cluster has a backup before its first night.
    immediate: true,
    cluster: { name },
    method: 'plugin',
    pluginConfiguration: { name: BARMAN },
    backupOwnerReference: 'self',
  },
});

export const haPostgres = () =>
  Object.entries(haClusters).flatMap(([name, one]) => [cluster(name, one), backup(name)]);
