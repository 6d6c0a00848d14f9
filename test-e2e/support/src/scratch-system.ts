import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  createSupervisor,
  environments,
  type InstanceCounts,
  listInstances,
  paymentSecretOf,
  type ServerAddresses,
  type Servers,
  type Supervisor,
  startServers,
} from '@tds/local';
import { loadSurfaces } from '@tds/provisioning';
import { freePort, workspaceRoot } from '@tds/servers';
import { shiftedClock, tally } from '@tds/servers/testing';
import { type Balancer, balanceGateways } from './balancer.ts';
import { type DiskImage, findDiskImageProblem, mountDiskImage, unmountBelow } from './disk-image.ts';
import type { HurtSystem } from './hurt-system.ts';
import { fairWeather, type Network, serverNames, startNetwork } from './network.ts';
import { createReleases } from './older-release.ts';
import { connectPayment, startOutside } from './outside.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** A system whose services and servers are processes of this machine. */
export type ScratchSystem = HurtSystem & {
  /** Of the servers that keep data; a sentence if this machine, or a quick run, has none. */
  readonly disks: Disks | string;
  /** Between the processes and the servers. */
  readonly network: Network;
  readonly servers: Servers;
};

export type ScratchOptions = {
  readonly dir: string;
  readonly seed: number;
  /** Faster, gone with this process, and durable against every death but the machine's own. */
  readonly throwaway: boolean;
  /** How many of each service; one where nothing is said. */
  readonly instances: InstanceCounts;
  /** How many descriptors a service may have; what the machine allows where nothing is said. */
  readonly descriptors?: Readonly<Record<string, number>>;
  readonly onEvent?: (line: string) => void;
  /** Further settings of every service. */
  readonly settings?: NodeJS.ProcessEnv;
  /** Of Postgres, and how every service gets the same one; Redis and NATS compare their own times only. */
  readonly clock?: { readonly offsetMs: number; readonly environment: NodeJS.ProcessEnv } | undefined;
  /** The folder of the older release that it begins as. */
  readonly from?: string | undefined;
};

/** Throwaway servers do not wait for their log: what they acknowledge would not outlive the server itself. */
const postgresSettings = { synchronous_commit: 'on' };
const READY_WITHIN_MS = 600_000;
/** Quick, because here they die on purpose. */
const backoff = { firstMs: 50, maxMs: 500 };

/** The servers as one process reaches them. */
const linkedServers = async (
  network: Network,
  process: string,
  { postgres, nats, redis, redisCache, databases, objects, secretOf }: Servers,
): Promise<ServerAddresses> => {
  const [postgresPort, natsPort, redisPort, cachePort] = await Promise.all([
    network.open(process, 'postgres', postgres.port),
    network.open(process, 'nats', nats.port),
    network.open(process, 'redis', redis.port),
    network.open(process, 'redis-cache', redisCache.port),
  ]);
  const linked = Object.entries(databases).map(([name, urls]) => [
    name,
    { url: atPort(urls.url, postgresPort), ownerUrl: atPort(urls.ownerUrl, postgresPort) },
  ]);
  return {
    databases: Object.fromEntries(linked),
    objects: {
      urlOf: (service) => {
        const url = objects.urlOf(service);
        return url === undefined ? undefined : atPort(url, postgresPort);
      },
    },
    nats: { servers: `127.0.0.1:${natsPort}`, seedOf: nats.seedOf },
    redis: { urlOf: (user) => atPort(redis.urlOf(user), redisPort) },
    redisCache: { urlOf: (user) => atPort(redisCache.urlOf(user), cachePort) },
    secretOf,
  };
};

const atPort = (url: string, port: number): string => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};

export type Disks = { readonly postgres: DiskImage; readonly nats: DiskImage };

const POSTGRES_MEBIBYTES = 4_096;
const NATS_MEBIBYTES = 1_024;

const mountDisks = async ({ dir, throwaway }: ScratchOptions): Promise<Disks | string> => {
  const problem = throwaway ? 'skipped: what is thrown away needs no disk' : await findDiskImageProblem();
  if (problem !== null) return problem;
  return {
    postgres: await mountDiskImage(path.join(dir, 'postgres'), POSTGRES_MEBIBYTES),
    nats: await mountDiskImage(path.join(dir, 'nats', 'streams'), NATS_MEBIBYTES),
  };
};

type ResolveEnvironments = (process: string) => Promise<Readonly<Record<string, NodeJS.ProcessEnv>>>;

/** Every process of every service, each with ways of its own to the servers. */
const startProcesses = async (
  { instances, descriptors, clock }: ScratchOptions,
  supervisor: Supervisor,
  resolveEnvironments: ResolveEnvironments,
  port: number,
  release: () => string,
): Promise<{ readonly processes: ServiceProcess[]; readonly balancer: Balancer | null }> => {
  const processes: ServiceProcess[] = [];
  const ports = new Map<string, number>();
  for (const { service, name } of listInstances(instances)) {
    const environment = { ...(await resolveEnvironments(name))[service], ...clock?.environment };
    if (service === 'gateway' && (instances.gateway ?? 1) > 1) {
      ports.set(name, await freePort());
      environment.PORT = String(ports.get(name));
    }
    const settings = { service, name, environment, release, healthPort: await freePort() };
    processes.push(startServiceProcess(supervisor, { ...settings, descriptors: descriptors?.[service] }));
  }
  const balancing = { port, gateways: [...ports.values()], portOf: async (name: string) => ports.get(name) };
  return { processes, balancer: ports.size === 0 ? null : await balanceGateways(balancing, processes) };
};

const LOG_OF_SERVICES = 'services.log';

const logsIn = (dir: string): string[] => {
  const serverLogs = serverNames.map((name) => path.join(dir, name, 'server.log'));
  return [path.join(dir, LOG_OF_SERVICES), ...serverLogs.filter(existsSync)];
};

const setReachable = (network: Network, process: string, isReachable: boolean): void => {
  const weather = isReachable ? fairWeather : { ...fairWeather, held: 'asks' as const };
  for (const server of serverNames) network.setWeather({ process, server }, weather);
};

/** Of this release, or of an older one with the way to this and back. */
const startReleasedServers = async ({ dir, throwaway, onEvent, from, clock }: ScratchOptions) => {
  const serverOptions = {
    dir,
    throwaway,
    postgresSettings,
    postgresEnvironment: clock && (await shiftedClock(clock.offsetMs)),
    ...(onEvent && { onEvent }),
  };
  if (from === undefined) return { servers: await startServers(serverOptions), folder: () => workspaceRoot };
  const { folder, ensure } = createReleases(from, dir);
  const servers = await startServers({ ...serverOptions, ensure: ensure('older') });
  const release = async (which: 'older' | 'this'): Promise<void> => {
    await ensure(which)(servers.postgres.url, await loadSurfaces(), servers.secretOf);
  };
  return { servers, folder, release };
};

export async function startScratchSystem(options: ScratchOptions): Promise<ScratchSystem> {
  const { dir } = options;
  tally('systems');
  await mkdir(dir, { recursive: true, mode: 0o711 });
  const logFile = path.join(dir, LOG_OF_SERVICES);
  const log = createWriteStream(logFile, { mode: 0o600 });
  const disks = await mountDisks(options);
  const { servers, folder, ...upgrades } = await startReleasedServers(options);
  const outside = await startOutside();
  const { simulator, payment, mail, receiver, gateway } = outside;
  connectPayment(outside, paymentSecretOf(servers));
  const inherited = { LOG_LEVEL: 'info', ...options.settings };
  const supervisor = createSupervisor({ write: (line) => void log.write(`${line}\n`), backoff });
  const network = startNetwork(options.seed);
  const redisUrl = atPort(servers.redis.url, await network.open('harness', 'redis', servers.redis.port));
  const environmentsAt = (addresses: ServerAddresses) => environments(addresses, outside.addresses, inherited);
  const resolveEnvironments = async (name: string) =>
    environmentsAt(await linkedServers(network, name, servers));
  const { processes, balancer } = await startProcesses(
    options,
    supervisor,
    resolveEnvironments,
    outside.addresses.port,
    folder,
  );
  const stop = async () => {
    for (const each of processes) await each.signal('SIGCONT');
    for (const server of serverNames) network.setWeather({ server }, fairWeather);
    await supervisor.stop();
    balancer?.close();
    await network.close();
    await outside.stop();
    for (const server of [servers.nats, servers.redis]) server.signal('SIGCONT');
    await servers.stop();
    await unmountBelow(dir);
    await new Promise((resolve) => log.end(resolve));
  };
  const ready = await Promise.all(processes.map((each) => each.untilReady(READY_WITHIN_MS)));
  if (!ready.every(Boolean)) {
    await stop();
    throw new Error(`the services were not ready within ${READY_WITHIN_MS / 1_000} s: see ${logFile}`);
  }
  return {
    ...{ dir, gateway, servers, simulator, payment, mail, receiver },
    ...{ processes, network, disks, redisUrl, stop },
    brokers: [Object.assign(servers.nats, { name: 'nats', streams: path.join(dir, 'nats/streams/jetstream') })],
    postgresOf: () => servers.postgres,
    environmentOf: await environmentsAt(servers),
    setReachable: async (process, isReachable) => setReachable(network, process, isReachable),
    ...upgrades,
    logs: async () => logsIn(dir),
  };
}
