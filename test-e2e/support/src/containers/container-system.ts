import { type ChildProcess, execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { environments, listInstances, loadSurfaces, paymentSecretOf, serversAt } from '@tds/local';
import { OPERATOR } from '@tds/messaging/internals';
import { openSecrets } from '@tds/servers';
import { balanceGateways } from '../balancer.ts';
import type { HurtBroker, HurtPostgres, HurtSystem } from '../hurt-system.ts';
import { connectPayment, startOutside } from '../outside.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type ComposeOptions, type ComposeProject, startComposeProject } from './compose-project.ts';
import { hurtContainer } from './container.ts';
import { containerProcess } from './container-process.ts';
import { docker, findProcessId, readLogs } from './docker.ts';
import { forwardWebhooks } from './forward-webhooks.ts';

const run = promisify(execFile);

const DISPATCHER = 'webhook-dispatcher';

const STORE = '{{range .Mounts}}{{if eq .Destination "/data"}}{{.Source}}{{end}}{{end}}';

const hurtBroker = async ({ findContainer }: ComposeProject, name: string): Promise<HurtBroker> => {
  const container = await findContainer(name);
  const store = await docker('inspect', '--format', STORE, container);
  return { ...hurtContainer(container), name, streams: path.join(store, 'jetstream') };
};

const hurtPostgres = async ({ postgres, postgresOf, findContainer }: ComposeProject) => {
  const servers = Object.entries(postgres).map(async ([name, url]) => {
    const container = await findContainer(name);
    return [name, { ...hurtContainer(container), url }] as const;
  });
  const byName = new Map(await Promise.all(servers));
  return (database: string): HurtPostgres => {
    const server = byName.get(postgresOf(database));
    if (!server) throw new Error(`no Postgres has ${database}`);
    return server;
  };
};

/** The containers of all services, those of the dispatcher with a way to the receiver. */
const startProcesses = async (project: ComposeProject, instances: ComposeOptions['instances'] = {}) => {
  const forwarders = new Map<string, ChildProcess>();
  const { receiver } = project.outside.ports;
  const forward = async (container: string): Promise<void> => {
    forwarders.get(container)?.kill();
    forwarders.set(container, await forwardWebhooks(container, { host: project.outside.name, port: receiver }));
  };
  const starting = listInstances(instances).map(async ({ service, name }) => {
    const container = await project.findContainer(name);
    const onStart = service === DISPATCHER ? () => forward(container) : async () => {};
    return containerProcess({ service, name, container, network: project.networks.metrics, onStart });
  });
  const stop = () => {
    for (const forwarder of forwarders.values()) forwarder.kill();
  };
  return { processes: await Promise.all(starting), stop };
};

/** The balancer before several gateways; null for one. */
const startBalancing = async (project: ComposeProject, processes: ServiceProcess[]) => {
  const gateways = processes.filter(({ service }) => service === 'gateway');
  if (gateways.length === 1) return null;
  // An engine may exchange the ports of containers that start at the same time.
  const portOf = async (name: string) =>
    Number((await docker('port', await project.findContainer(name), '8080/tcp')).split(':').at(-1));
  const ports = await Promise.all(gateways.map(({ name }) => portOf(name)));
  return balanceGateways({ port: project.outside.ports.gateway, gateways: ports, portOf }, processes);
};

/** Drops what a container and the servers send to each other; neither end is told. */
const createReach =
  ({ findContainer, subnet }: ComposeProject) =>
  async (name: string, isReachable: boolean): Promise<void> => {
    const network = `--net=/proc/${await findProcessId(await findContainer(name))}/ns/net`;
    const change = isReachable ? '--delete' : '--append';
    for (const way of [
      ['OUTPUT', '--destination'],
      ['INPUT', '--source'],
    ])
      await run('nsenter', [network, 'iptables', change, ...way, subnet, '--jump', 'DROP']);
  };

/** What `docker logs` knows of each container, in a file for each. */
const writeLogs = async (dir: string, containers: readonly string[]): Promise<string[]> => {
  await mkdir(dir, { recursive: true });
  const files = containers.map(async (name) => {
    const file = path.join(dir, `${name}.log`);
    await writeFile(file, await readLogs(name), { mode: 0o600 });
    return file;
  });
  return Promise.all(files);
};

/** A whole system in containers, which may be hurt; the world around it is in this process. Wants root. */
export const startContainerSystem = async (options: ComposeOptions): Promise<HurtSystem> => {
  const project = await startComposeProject(options);
  const secretOf = openSecrets(project.secretsFile);
  const postgresOf = await hurtPostgres(project);
  const places = { ...project.places, postgres: (database: string) => postgresOf(database).url };
  const serverAddresses = serversAt(places, await loadSurfaces(), secretOf);
  const outside = await startOutside(project.outside);
  connectPayment(outside, paymentSecretOf({ secretOf }));
  const { processes, stop } = await startProcesses(project, options.instances);
  const balancer = await startBalancing(project, processes);
  const redis = await project.findContainer('redis');
  const { gateway, simulator, payment, mail, receiver } = outside;
  const redisUrl = serverAddresses.redis.urlOf(OPERATOR);
  return {
    ...{ gateway, simulator, payment, mail, receiver, processes, redisUrl },
    dir: options.dir,
    brokers: await Promise.all(project.brokers.map((name) => hurtBroker(project, name))),
    postgresOf,
    servers: {
      nats: { servers: project.places.nats, seedOf: serverAddresses.nats.seedOf },
      redis: { ...hurtContainer(redis), url: redisUrl },
    },
    environmentOf: await environments(serverAddresses, outside.addresses),
    setReachable: createReach(project),
    operate: async (section) => {
      await project.operate(section);
      for (const each of processes) await each.attach();
    },
    logs: async () => {
      const servers = [...Object.keys(project.postgres), 'redis', 'redis-cache', ...project.brokers];
      const names = [...processes.map(({ name }) => name), ...servers];
      return writeLogs(path.join(options.dir, 'logs'), await Promise.all(names.map(project.findContainer)));
    },
    stop: async () => {
      stop();
      balancer?.close();
      await project.stop();
      await outside.stop();
    },
  };
};
