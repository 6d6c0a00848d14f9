import { databaseNames, type InstanceCounts, type PostgresCount, serviceNames } from '@tds/local';
import { type HurtSystem, startContainerSystem, startScratchSystem } from '#support';
import { shiftedBy } from './faults/clocks.ts';
import { descriptors } from './faults/descriptors.ts';

export type StartOptions = {
  readonly seed: number;
  readonly dir: string;
  readonly throwaway: boolean;
  readonly from?: string | undefined;
  /** Of all calendars but those of the broker and Redis. */
  readonly clockOffsetMs?: number | undefined;
  readonly say: (line: string) => void;
};

/** Something that a run can hurt. */
type Kind = {
  readonly instances: InstanceCounts;
  readonly brokers: readonly string[];
  /** One server of all databases, or the databases that have one each. */
  readonly postgres: readonly string[];
  start(options: StartOptions): Promise<HurtSystem>;
};

/** Listings are made again and again, instead of once an hour; strangers say where they come from. */
const settings = { LISTING_FRESH: '2s', TRUSTED_PROXIES: '127.0.0.1, 172.16.0.0/12' };
const behindBalancer = { ...settings, DRAIN_TIME: '5s' };

/** One of each, and a second one of those that take over what a frozen one holds. */
const secondOnes = {
  'transcript-fetcher': 2,
  'bulk-orchestrator': 2,
  'monitor-scheduler': 2,
  'webhook-dispatcher': 2,
  billing: 2,
  status: 2,
} as const;
const twoOfEach = Object.fromEntries(serviceNames.map((name) => [name, 2]));

const ofProcesses = (instances: InstanceCounts, given: NodeJS.ProcessEnv): Kind => ({
  instances,
  brokers: ['nats'],
  postgres: ['postgres'],
  start: ({ say, clockOffsetMs: offsetMs, ...options }) =>
    startScratchSystem({
      clock: offsetMs === undefined ? undefined : { offsetMs, environment: shiftedBy(offsetMs) },
      ...{ ...options, descriptors, instances, settings: given },
      onEvent: (line) => say(`  ${line}`),
    }),
});

/** Of images that were built before. */
const ofContainers = (postgres: PostgresCount): Kind => ({
  instances: twoOfEach,
  brokers: ['nats', 'nats-2', 'nats-3'],
  postgres: postgres === 'one' ? ['postgres'] : databaseNames,
  start: ({ dir }) =>
    startContainerSystem({
      ...{ project: 'tds-chaos', instances: twoOfEach, brokers: 3, postgres, dir },
      settings: behindBalancer,
    }),
});

export const systems = {
  processes: ofProcesses(secondOnes, settings),
  /** Two of each, the gateways behind a balancer: a restart in order must fail no request. */
  replicas: ofProcesses(twoOfEach, behindBalancer),
  containers: ofContainers('one'),
  /** Containers, and a Postgres for each database. */
  clusters: ofContainers('each'),
} as const satisfies Record<string, Kind>;

export type SystemKind = keyof typeof systems;
