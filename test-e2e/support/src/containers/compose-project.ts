import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import {
  type InstanceCounts,
  listInstances,
  type PostgresCount,
  postgresOf,
  type ServerPlaces,
} from '@tds/local';
import { freePort, urlFor, workspaceRoot } from '@tds/servers';
import { type OutsidePlace, outsideAt, settingsOf } from '../outside-place.ts';
import { until } from '../until.ts';
import { docker, runShell } from './docker.ts';
import { buildProjectFile, places, postgresPlaces, subnetOfServers } from './project-file.ts';
import { renderedFile } from './rendered-file.ts';

/** Both Redis, and what makes the streams; the servers of Postgres and the brokers come on top. */
const OTHERS_WITH_HEALTH = 3;
const HEALTHY_WITHIN_MS = 480_000;
const POLL_MS = 2_000;

const brokerNames = ['nats', 'nats-2', 'nats-3'] as const;

export type ComposeOptions = {
  /** The project's name: its containers, networks and volumes begin with it. */
  readonly project: string;
  /** Where its secrets are. */
  readonly dir: string;
  readonly instances?: InstanceCounts;
  /** One by default. */
  readonly brokers?: 1 | 3;
  /** One by default. */
  readonly postgres?: PostgresCount;
  readonly settings?: NodeJS.ProcessEnv;
  /** Runs the services as the manifests of Kubernetes say. */
  readonly rendered?: boolean;
};

export type ComposeProject = {
  readonly outside: OutsidePlace;
  readonly places: ServerPlaces;
  /** The servers of Postgres by their names, each with the administrator's address. */
  readonly postgres: Readonly<Record<string, string>>;
  /** The name of the one that has a database. */
  postgresOf(database: string): string;
  readonly secretsFile: string;
  /** Of a server or an instance of a service, such as `search-2`. */
  findContainer(name: string): Promise<string>;
  readonly networks: { readonly metrics: string };
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
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (address === undefined) throw new Error('this machine has no address that its containers could reach');
  return address.address;
};

const labelFilters = (...labels: string[]): string[] =>
  labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);

const findContainer = async (project: string, name: string): Promise<string> => {
  const isServer = name in places || name.startsWith('postgres-');
  const [, service = name, number = '1'] = (isServer ? null : /^(.+)-(\d+)$/.exec(name)) ?? [];
  const labels = labelFilters(`project=${project}`, `service=${service}`, `container-number=${number}`);
  return docker('ps', '--all', '--format', '{{.Names}}', ...labels);
};

const untilHealthy = async (project: string, count: number): Promise<void> => {
  const countHealthy = async () =>
    (await docker('ps', '-q', ...labelFilters(`project=${project}`), '-f', 'health=healthy')).split('\n')
      .length;
  const isHealthy = async () => (await countHealthy()) >= count;
  if (!(await until(isHealthy, { withinMs: HEALTHY_WITHIN_MS, everyMs: POLL_MS })))
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
const readCommands = (section: string): string => {
  const text = readFileSync(path.join(workspaceRoot, 'docs/operations.md'), 'utf8');
  const [, commands] = new RegExp(`\n## ${section}\n[^]*?\n\`\`\`sh\n([^]*?)\`\`\``).exec(text) ?? [];
  if (commands === undefined) throw new Error(`docs/operations.md has no commands to ${section}`);
  return commands;
};

/** Writes what docker-compose and `create-secrets:compose` read of this project; resolves to how they are called. */
const prepare = async (options: ComposeOptions, outside: OutsidePlace) => {
  const { project, dir, instances = {}, settings = {}, brokers = 1, postgres = 'one', rendered } = options;
  const secrets = path.join(dir, 'secrets');
  mkdirSync(secrets, { recursive: true });
  const settingsFile = path.join(dir, 'settings.env');
  const allSettings = { ...settingsOf(outside), ...settings };
  const lines = Object.entries(allSettings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(settingsFile, lines.join(''));
  const projectFile = path.join(dir, 'project.json');
  writeFileSync(projectFile, JSON.stringify(buildProjectFile(instances, postgres, secrets)));
  const files = ['docker-compose.yml', projectFile];
  const ports = {
    // A balancer has the first port before several gateways.
    PORT: portsFor(outside.ports.gateway + Number((instances.gateway ?? 1) > 1), instances.gateway),
    WEBHOOKS_PORT: portsFor(await freePort(), instances['webhook-dispatcher']),
  };
  const shell = (text: string) => {
    const composeVariables = {
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_FILE: files.join(':'),
      COMPOSE_PROFILES: brokers === 1 ? '' : 'brokers',
    };
    return runShell(
      text,
      { ...process.env, ...composeVariables, ...ports, TDS_SECRETS: secrets },
      workspaceRoot,
    );
  };
  const program = `${process.execPath} infra/dev/local/src/compose-secrets.ts`;
  const makeSecrets = `${program} --settings ${settingsFile} --to ${secrets} --brokers ${brokers} --postgres ${postgres}`;
  await shell(makeSecrets);
  if (rendered) files.push(await writeRendered(dir, path.join(secrets, 'secrets.json'), allSettings));
  return { secrets, makeSecrets, shell };
};

/** An installation by docker-compose.yml, of images that were built before, with the world around it in this process. */
export const startComposeProject = async (options: ComposeOptions): Promise<ComposeProject> => {
  const { project, dir, instances = {}, brokers = 1, postgres = 'one' } = options;
  const outside = await outsideAt('0.0.0.0', hostForContainers());
  const { secrets, makeSecrets, shell } = await prepare(options, outside);
  const servers = postgresPlaces(postgres);
  const all = listInstances(instances).length + Object.keys(servers).length + brokers + OTHERS_WITH_HEALTH;
  const untilAllHealthy = () => untilHealthy(project, all);
  await shell('docker-compose down --volumes --remove-orphans\ndocker-compose up -d --no-build');
  await untilAllHealthy();
  const passwordOf = (name: string) => readFileSync(path.join(secrets, `${name}-password`), 'utf8');
  const urls = Object.entries(servers).map(([name, host]) => {
    const login = { name: 'postgres', password: passwordOf(name) };
    return [name, urlFor(`postgresql://${host}:5432/postgres?sslmode=disable`, 'postgres', login)];
  });
  const postgresUrls: Record<string, string> = Object.fromEntries(urls);
  const names = brokerNames.slice(0, brokers);
  return {
    outside,
    places: {
      postgres: String(postgresUrls.postgres),
      nats: names.map((name) => `${places[name][1]}:4222`).join(','),
      redis: `redis://${places.redis[1]}:6379`,
      redisCache: `redis://${places['redis-cache'][1]}:6379`,
    },
    postgres: postgresUrls,
    postgresOf: postgres === 'one' ? () => 'postgres' : postgresOf,
    secretsFile: path.join(secrets, 'secrets.json'),
    findContainer: (name) => findContainer(project, name),
    networks: { metrics: `${project}_metrics` },
    subnet: subnetOfServers,
    brokers: names,
    operate: async (section) => {
      const script = readCommands(section)
        .replaceAll('npm run -s create-secrets:compose', makeSecrets)
        .replaceAll('.local/compose', secrets)
        .replaceAll(' backup-', ` ${dir}/backup-`)
        .replaceAll('transcript-delivery-service_', `${project}_`);
      await shell(script);
      await untilAllHealthy();
    },
    // What an engine could not remove keeps no run from its report; the next start removes it.
    stop: () => shell('docker-compose down --volumes').catch(({ message }: Error) => console.error(message)),
  };
};
