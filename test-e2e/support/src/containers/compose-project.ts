import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { type InstanceCounts, instancesOf, type ServerPlaces } from '@tds/local';
import { freePort, workspaceRoot } from '@tds/servers';
import { type OutsidePlace, outsideAt, settingsOf } from '../outside-place.ts';
import { until } from '../until.ts';
import { docker, runShell } from './docker.ts';
import { renderedFile } from './rendered-file.ts';

/** They are in the caller's process. */
const withoutSimulators = ['platform-simulator', 'payment-simulator', 'mail-catcher', 'webhook-receiver'];
/** Postgres, both Redis, and what makes the streams. */
const SERVERS_WITH_HEALTH = 4;
const HEALTHY_WITHIN_MS = 480_000;
const LOOK_EVERY_MS = 2_000;

const brokerNames = ['nats', 'nats-2', 'nats-3'] as const;
const serverNetworks = ['postgres', 'nats', 'redis', 'redis-cache'] as const;
/** Servers keep their addresses when they die, so that what is outside of the containers reaches them as before. */
const NETWORKS = '172.29';
const places = {
  postgres: ['postgres', `${NETWORKS}.0.10`],
  nats: ['nats', `${NETWORKS}.1.10`],
  'nats-2': ['nats', `${NETWORKS}.1.11`],
  'nats-3': ['nats', `${NETWORKS}.1.12`],
  redis: ['redis', `${NETWORKS}.2.10`],
  'redis-cache': ['redis-cache', `${NETWORKS}.3.10`],
} as const;

/** On top of docker-compose.yml: the addresses of servers, and how many there are of everything else. */
const fileOfProject = (instances: InstanceCounts) => ({
  services: Object.fromEntries([
    ...Object.entries(places).map(([name, [network, address]]) => [
      name,
      { networks: { [network]: { ipv4_address: address } } },
    ]),
    ...Object.entries(instances).map(([name, scale]) => [name, { scale }]),
    ...withoutSimulators.map((name) => [name, { scale: 0 }]),
  ]),
  networks: Object.fromEntries(
    serverNetworks.map((name, index) => {
      const subnet = `${NETWORKS}.${index}`;
      return [name, { ipam: { config: [{ subnet: `${subnet}.0/24`, ip_range: `${subnet}.128/25` }] } }];
    }),
  ),
});

export type ComposeOptions = {
  /** The project's name: its containers, networks and volumes begin with it. */
  readonly project: string;
  /** Where its secrets are. */
  readonly dir: string;
  readonly instances?: InstanceCounts;
  /** One by default. */
  readonly brokers?: 1 | 3;
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
  readonly networks: { readonly measures: string };
  /** Of all servers. */
  readonly subnet: string;
  readonly brokers: readonly string[];
  /** Does to this project what a section of docs/operations.md has people type. */
  operate(section: string): Promise<void>;
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
  const isServer = name in places;
  const [, service = name, number = '1'] = (isServer ? null : /^(.+)-(\d+)$/.exec(name)) ?? [];
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

/** The commands of a section of docs/operations.md. */
const documented = (section: string): string => {
  const text = readFileSync(path.join(workspaceRoot, 'docs/operations.md'), 'utf8');
  const [, commands] = new RegExp(`\n## ${section}\n[^]*?\n\`\`\`sh\n([^]*?)\`\`\``).exec(text) ?? [];
  if (commands === undefined) throw new Error(`docs/operations.md has no commands to ${section}`);
  return commands;
};

/** Writes what docker-compose and `compose:secrets` read of this project; resolves to how they are called. */
const prepare = async (options: ComposeOptions, outside: OutsidePlace) => {
  const { project, dir, instances = {}, settings = {}, brokers = 1, rendered = false } = options;
  const secrets = path.join(dir, 'secrets');
  mkdirSync(secrets, { recursive: true });
  const settingsFile = path.join(dir, 'settings.env');
  const given = { ...settingsOf(outside), ...settings };
  const lines = Object.entries(given).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(settingsFile, lines.join(''));
  const ofProject = path.join(dir, 'project.json');
  writeFileSync(ofProject, JSON.stringify(fileOfProject(instances)));
  const files = ['docker-compose.yml', ofProject];
  const ports = {
    PORT: portsFor(outside.ports.gateway, instances.gateway),
    WEBHOOKS_PORT: portsFor(await freePort(), instances['webhook-dispatcher']),
  };
  const shell = (text: string) => {
    const ofCompose = {
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_FILE: files.join(':'),
      COMPOSE_PROFILES: brokers === 1 ? '' : 'brokers',
    };
    return runShell(text, { ...process.env, ...ofCompose, ...ports, TDS_SECRETS: secrets }, workspaceRoot);
  };
  const program = `${process.execPath} infra/local/src/compose-secrets.ts`;
  const makeSecrets = `${program} --settings ${settingsFile} --to ${secrets} --brokers ${brokers}`;
  await shell(makeSecrets);
  if (rendered) files.push(await writeRendered(dir, path.join(secrets, 'secrets.json'), given));
  return { secrets, makeSecrets, shell };
};

/** An installation by docker-compose.yml, of images that were built before, with the world around it in this process. */
export const startComposeProject = async (options: ComposeOptions): Promise<ComposeProject> => {
  const { project, dir, instances = {}, brokers = 1 } = options;
  const outside = await outsideAt('0.0.0.0', hostForContainers());
  const { secrets, makeSecrets, shell } = await prepare(options, outside);
  const untilAllHealthy = () => untilHealthy(project, instancesOf(instances).length);
  await shell('docker-compose down --volumes --remove-orphans\ndocker-compose up -d --no-build');
  await untilAllHealthy();
  const { adminUrl } = JSON.parse(readFileSync(path.join(secrets, 'databases.json'), 'utf8')) as {
    adminUrl: string;
  };
  const postgres = new URL(adminUrl);
  [, postgres.hostname] = places.postgres;
  const names = brokerNames.slice(0, brokers);
  return {
    outside,
    places: {
      postgres: postgres.href,
      nats: names.map((name) => `${places[name][1]}:4222`).join(','),
      redis: `redis://${places.redis[1]}:6379`,
      redisCache: `redis://${places['redis-cache'][1]}:6379`,
    },
    secretsFile: path.join(secrets, 'secrets.json'),
    containerOf: (name) => containerOf(project, name),
    networks: { measures: `${project}_measures` },
    subnet: `${NETWORKS}.0.0/16`,
    brokers: names,
    operate: async (section) => {
      const here = documented(section)
        .replaceAll('npm run -s compose:secrets', makeSecrets)
        .replaceAll('.local/compose', secrets)
        .replaceAll(' backup-', ` ${dir}/backup-`)
        .replaceAll('transcript-delivery-service_', `${project}_`);
      await shell(here);
      await untilAllHealthy();
    },
    // What an engine could not remove keeps no run from its report; the next start removes it.
    stop: () => shell('docker-compose down --volumes').catch(({ message }: Error) => console.error(message)),
  };
};
