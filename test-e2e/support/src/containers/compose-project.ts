import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type InstanceCounts, instancesOf, type ServerPlaces } from '@tds/local';
import { freePort, workspaceRoot } from '@tds/servers';
import { type OutsidePlace, outsideAt, settingsOf } from '../outside-place.ts';
import { until } from '../until.ts';
import { docker, runCompose } from './docker.ts';
import { renderedFile } from './rendered-file.ts';

const run = promisify(execFile);

/** They are in the caller's process. */
const withoutSimulators = ['platform-simulator', 'payment-simulator', 'mail-catcher', 'webhook-receiver'];
/** Postgres, both Redis, and what makes the streams. */
const SERVERS_WITH_HEALTH = 4;
const HEALTHY_WITHIN_MS = 480_000;
const LOOK_EVERY_MS = 2_000;

const serverNames = ['postgres', 'nats', 'redis', 'redis-cache'] as const;
export type ContainerServer = (typeof serverNames)[number];

/** Servers keep their addresses when they die, so that what is outside of the containers reaches them as before. */
const NETWORKS = '172.29';
const addressOfServer = (name: ContainerServer): string => `${NETWORKS}.${serverNames.indexOf(name)}.10`;
const ofServers = <Value>(make: (name: ContainerServer, index: number) => Value): Record<string, Value> =>
  Object.fromEntries(serverNames.map((name, index) => [name, make(name, index)]));
const fixedAddresses = {
  services: ofServers((name) => ({ networks: { [name]: { ipv4_address: addressOfServer(name) } } })),
  networks: ofServers((_, index) => {
    const subnet = `${NETWORKS}.${index}`;
    return { ipam: { config: [{ subnet: `${subnet}.0/24`, ip_range: `${subnet}.128/25` }] } };
  }),
};

export type ComposeOptions = {
  /** The project's name: its containers, networks and volumes begin with it. */
  readonly project: string;
  /** Where its secrets are. */
  readonly dir: string;
  readonly instances?: InstanceCounts;
  readonly settings?: NodeJS.ProcessEnv;
  /** Runs the services as the manifests of Kubernetes say. */
  readonly rendered?: boolean;
};

export type ComposeProject = {
  readonly outside: OutsidePlace;
  readonly places: ServerPlaces;
  readonly secretsFile: string;
  /** Of a server or an instance of a service, such as `search-2`. */
  containerOf(name: string): Promise<string>;
  readonly networks: { readonly servers: readonly string[]; readonly measures: string };
  stop(): Promise<void>;
};

/** This machine, as its containers reach it. */
const hostForContainers = (): string => {
  const addresses = Object.values(networkInterfaces()).flatMap((given) => given ?? []);
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (own === undefined) throw new Error('this machine has no address that its containers could reach');
  return own.address;
};

const labelled = (...labels: string[]): string[] =>
  labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);

const containerOf = async (project: string, name: string): Promise<string> => {
  const [, service = name, number = '1'] = /^(.+)-(\d+)$/.exec(name) ?? [];
  const labels = labelled(`project=${project}`, `service=${service}`, `container-number=${number}`);
  return docker('ps', '--all', '--format', '{{.Names}}', ...labels);
};

const untilHealthy = async (project: string, wanted: number): Promise<void> => {
  const all = async () =>
    (await docker('ps', '-q', ...labelled(`project=${project}`), '-f', 'health=healthy')).split('\n').length;
  const isHealthy = async () => (await all()) >= wanted + SERVERS_WITH_HEALTH;
  if (!(await until(isHealthy, { withinMs: HEALTHY_WITHIN_MS, everyMs: LOOK_EVERY_MS })))
    throw new Error('the containers are not healthy: docker ps');
};

/** The published ports of a service: of one, or one for each instance, of which the first gets the first. */
const portsFor = (first: number, count = 1): string =>
  count === 1 ? String(first) : `${first}-${first + count - 1}`;

const writeRendered = async (
  dir: string,
  secretsFile: string,
  settings: NodeJS.ProcessEnv,
): Promise<string> => {
  const file = path.join(dir, 'rendered.json');
  // A dollar begins a variable of docker-compose.
  const text = JSON.stringify(await renderedFile(secretsFile, settings)).replaceAll('$', '$$$$');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

/** An installation by docker-compose.yml, of images that were built before, with the world around it in this process. */
export const startComposeProject = async ({
  project,
  dir,
  instances = {},
  settings = {},
  rendered = false,
}: ComposeOptions): Promise<ComposeProject> => {
  const outside = await outsideAt('0.0.0.0', hostForContainers());
  const secrets = path.join(dir, 'secrets');
  mkdirSync(secrets, { recursive: true });
  const settingsFile = path.join(dir, 'settings.env');
  const given = { ...settingsOf(outside), ...settings };
  writeFileSync(
    settingsFile,
    Object.entries(given)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const fixed = path.join(dir, 'fixed-addresses.json');
  writeFileSync(fixed, JSON.stringify(fixedAddresses));
  const env = {
    ...process.env,
    TDS_SECRETS: secrets,
    PORT: portsFor(outside.ports.gateway, instances.gateway),
    WEBHOOKS_PORT: portsFor(await freePort(), instances['webhook-dispatcher']),
  };
  const script = path.join(workspaceRoot, 'infra/local/src/compose-secrets.ts');
  await run(process.execPath, [script, '--settings', settingsFile, '--to', secrets]);
  const secretsFile = path.join(secrets, 'secrets.json');
  const files = ['--file', 'docker-compose.yml', '--file', fixed];
  if (rendered) files.push('--file', await writeRendered(dir, secretsFile, given));
  const compose = (...words: string[]) =>
    runCompose(['--project-name', project, ...files, ...words], { env, cwd: workspaceRoot });
  const scaled = [...Object.entries(instances), ...withoutSimulators.map((name) => [name, 0] as const)];
  const scale = scaled.flatMap(([name, count]) => ['--scale', `${name}=${count}`]);
  await compose('down', '--volumes', '--remove-orphans');
  await compose('up', '-d', '--no-build', ...scale);
  await untilHealthy(project, instancesOf(instances).length);
  const { adminUrl } = JSON.parse(readFileSync(path.join(secrets, 'databases.json'), 'utf8')) as {
    adminUrl: string;
  };
  const postgres = new URL(adminUrl);
  postgres.hostname = addressOfServer('postgres');
  return {
    outside,
    places: {
      postgres: postgres.href,
      nats: `${addressOfServer('nats')}:4222`,
      redis: `redis://${addressOfServer('redis')}:6379`,
      redisCache: `redis://${addressOfServer('redis-cache')}:6379`,
    },
    secretsFile,
    containerOf: (name) => containerOf(project, name),
    networks: {
      servers: serverNames.map((name) => `${project}_${name}`),
      measures: `${project}_measures`,
    },
    stop: () => compose('down', '--volumes'),
  };
};
