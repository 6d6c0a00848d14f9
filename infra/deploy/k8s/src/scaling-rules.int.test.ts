import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { serviceNames, storedServiceNames } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';
import type { Rendered } from './test-support/rendered.ts';
import {
  type Any,
  configs,
  filterKinds,
  holdRules,
  listPods,
  nameOf,
  podNamed,
  type Rule,
  servicePods,
} from './test-support/rules.ts';

const scalersOf = (objects: readonly Rendered[]) =>
  filterKinds(objects, 'HorizontalPodAutoscaler', 'ScaledObject');
const mostOf = (objects: readonly Rendered[], name: string): number => {
  const scaler = scalersOf(objects).find((one) => nameOf(one) === name)?.spec;
  const owner = listPods(objects).find((one) => one.name === name)?.owner;
  return (scaler?.maxReplicas ?? scaler?.maxReplicaCount ?? owner?.spec.replicas) + 1;
};
/** Of the service's pools and, with objects, of theirs. */
const POOLS = 14;
const OBJECTS_POOL = 8;
const connectionsOn = (objects: readonly Rendered[], databases: readonly string[]): number =>
  serviceNames.reduce((sum, name) => {
    const own = storedServiceNames.includes(name) && databases.includes(name) ? POOLS : 0;
    const has = configs[name]?.variables.includes('OBJECTS_DATABASE_URL') && databases.includes('objects');
    return sum + mostOf(objects, name) * (own + (has ? OBJECTS_POOL : 0));
  }, 0);
const queriesOf = (objects: readonly Rendered[]): string[] =>
  filterKinds(objects, 'ScaledObject').flatMap(({ spec }) =>
    spec.triggers.flatMap(({ metadata }: Any) => metadata.query ?? []),
  );
const sourceOf = (service: string): string =>
  ['create-deps', 'health/observing', 'application/measure-jobs', 'application/send-deliveries']
    .map((file) => path.join(workspaceRoot, 'services', service, 'src', `${file}.ts`))
    .map((file) => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
const contractOf = (service: string): string =>
  readFileSync(path.join(workspaceRoot, 'packages/contracts/src', service, 'contract.ts'), 'utf8');
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const databasesOf = ({ spec }: Any): string[] =>
  spec.inheritedMetadata.annotations['tds.dev/databases'].split(' ');

/** Memory, parameters and databases of each Postgres. */
const postgresOf = (objects: readonly Rendered[]) => [
  ...filterKinds(objects, 'Cluster').map(({ spec }) => ({
    limit: String(spec.resources.limits.memory),
    parameters: spec.postgresql.parameters as Readonly<Record<string, string>>,
    databases: databasesOf({ spec }),
  })),
  ...listPods(objects)
    .filter(({ name }) => name === 'postgres')
    .map(({ spec: { containers } }) => ({
      limit: String(containers[0].resources.limits.memory),
      parameters: Object.fromEntries(containers[0].args.map((one: string) => one.split('='))) as Readonly<
        Record<string, string>
      >,
      databases: [...storedServiceNames, 'objects'],
    })),
];
const mibOf = (quantity = ''): number => Number.parseInt(quantity, 10) * (quantity.includes('G') ? 1_024 : 1);
/** Of its own, after hours of the statements of one service. */
const BACKEND_MIB = 4;

const rules: readonly Rule[] = [
  {
    promise: 'Postgres caches in a quarter of its memory, and a backend for each connection fits beside that',
    breaches: (objects) =>
      postgresOf(objects).filter(({ limit, parameters, databases }) => {
        const [memory, cache] = [mibOf(limit), mibOf(parameters.shared_buffers)];
        return cache !== memory / 4 || cache + connectionsOn(objects, databases) * BACKEND_MIB > memory;
      }),
    mutate: (objects) => {
      (filterKinds(objects, 'Cluster')[0] as Any).spec.resources.limits.memory = '2Gi';
    },
  },
  {
    promise: 'a service has one autoscaler that keeps two instances, or a count, and never both',
    breaches: (objects) =>
      servicePods(objects).filter(({ name, owner }) => {
        const scalers = scalersOf(objects).filter((one) => nameOf(one) === name);
        const [least] = scalers.map(({ spec }) => spec.minReplicas ?? spec.minReplicaCount);
        return scalers.length + (owner.spec.replicas === undefined ? 0 : 1) !== 1 || least < 2;
      }),
    mutate: (objects) => {
      (podNamed(objects, 'search').owner as Any).spec.replicas = 2;
    },
  },
  {
    promise: 'an autoscaler takes away slowly, and nothing while Prometheus is away',
    breaches: (objects) =>
      scalersOf(objects).filter(({ kind, spec }) => {
        const { behavior } = spec.advanced?.horizontalPodAutoscalerConfig ?? spec;
        const isSlow = behavior.scaleDown.stabilizationWindowSeconds >= 300;
        const keeps = kind !== 'ScaledObject' || spec.fallback?.behavior === 'currentReplicasIfHigher';
        return !isSlow || !keeps || /tds_tasks\b/.test(JSON.stringify(spec));
      }),
    mutate: (objects) => {
      delete (filterKinds(objects, 'ScaledObject')[0] as Any).spec.fallback;
    },
  },
  {
    promise: 'a signal is a metric that its service measures, and a backlog that more instances shorten',
    breaches: (objects) =>
      queriesOf(objects).filter((query) => {
        const [, metric, service = '', names = ''] =
          /max\((\w+)\{service="([^"]+)",(?:what|name)=~?"([^"]+)"\}\)/.exec(query) ?? [];
        const isMeasured = names
          .split('|')
          .every((name) =>
            metric?.startsWith('tds_task')
              ? contractOf(service).includes(`${camel(name)}:`)
              : sourceOf(service).includes(`onBacklog('${name}'`),
          );
        return !isMeasured || /"(rows|charges|mismatched_payments)"/.test(query);
      }),
    mutate: (objects) => {
      const [scaler] = filterKinds(objects, 'ScaledObject').filter(
        (one) => nameOf(one) === 'transcript-fetcher',
      );
      const [trigger] = (scaler as Any).spec.triggers;
      trigger.metadata.query = trigger.metadata.query.replace('"reads"', '"rows"');
    },
  },
  {
    promise: 'all pools at their maximum fit into the connections of their server',
    breaches: (objects) => {
      const clusters = filterKinds(objects, 'Cluster').map((one) => ({
        databases: databasesOf(one),
        most: Number(one.spec.postgresql.parameters.max_connections),
      }));
      const [alone] = listPods(objects).filter(({ name }) => name === 'postgres');
      const most = Number(/max_connections=(\d+)/.exec(JSON.stringify(alone?.spec))?.[1]);
      const servers = alone ? [{ databases: [...storedServiceNames, 'objects'], most }] : clusters;
      return servers.filter((server) => connectionsOn(objects, server.databases) > server.most);
    },
    mutate: (objects) => {
      const [cluster] = filterKinds(objects, 'Cluster');
      (cluster as Any).spec.postgresql.parameters.max_connections = '100';
    },
  },
  {
    promise: 'every database has one server, and money waits for a standby',
    breaches: (objects) => {
      const clusters = filterKinds(objects, 'Cluster');
      if (clusters.length === 0) return [];
      const named = clusters.flatMap(databasesOf);
      const money = clusters.find((one) => nameOf(one) === 'postgres-money');
      const wanted = [...storedServiceNames, 'objects'].toSorted();
      return [
        ...(named.toSorted().join() === wanted.join() ? [] : [named]),
        ...(money?.spec.postgresql.synchronous?.dataDurability === 'required' ? [] : ['money']),
        ...clusters.filter(({ spec }) => spec.instances < 3 || !spec.plugins?.[0]?.isWALArchiver),
      ];
    },
    mutate: (objects) => {
      const money = filterKinds(objects, 'Cluster').find((one) => nameOf(one) === 'postgres-money');
      delete (money as Any).spec.postgresql.synchronous;
    },
  },
  {
    promise: 'several brokers stand on several machines',
    breaches: (objects) =>
      filterKinds(objects, 'StatefulSet').filter(
        ({ spec }) =>
          spec.replicas > 1 &&
          !spec.template.spec.affinity?.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution,
      ),
    mutate: (objects) => {
      delete podNamed(objects, 'nats').spec.affinity;
    },
  },
  {
    promise: 'a service with a database waits for its migrations',
    breaches: (objects) =>
      servicePods(objects).filter(({ name, spec }) => {
        const [init] = spec.initContainers ?? [];
        const needs = configs[name]?.secrets.filter((one) => one.name.endsWith('DATABASE_URL')) ?? [];
        const given = (init?.env ?? []).map((one: Any) => one.name);
        return needs.some((one) => !given.includes(one.name));
      }),
    mutate: (objects) => {
      delete podNamed(objects, 'search').spec.initContainers;
    },
  },
  {
    promise: 'Prometheus asks every service, and has the rules of infra/deploy/observability',
    breaches: (objects) => {
      const monitor = filterKinds(objects, 'PodMonitor').find((one) => nameOf(one) === 'services');
      const [rule] = filterKinds(objects, 'PrometheusRule');
      if (!monitor && scalersOf(objects).length === 0) return [];
      const file = path.join(workspaceRoot, 'infra/deploy/observability/rules.yml');
      const isSame = isDeepStrictEqual(parse(readFileSync(file, 'utf8')).groups, rule?.spec.groups);
      const wanted = Object.entries(monitor?.spec.selector.matchLabels ?? { none: '' });
      const missed = servicePods(objects).filter(
        ({ labels, spec }) =>
          wanted.some(([key, value]) => labels[key] !== value) ||
          !spec.containers[0].ports.some((one: Any) => one.name === monitor?.spec.podMetricsEndpoints[0].port),
      );
      return isSame ? missed : ['other rules'];
    },
    mutate: (objects) => {
      delete podNamed(objects, 'search').labels['tds.dev/role'];
    },
  },
];

holdRules(rules);
