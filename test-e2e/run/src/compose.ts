import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from '@tds/local';
import { workspaceRoot } from '@tds/servers';
import { type Installed, outsideAt, type StartOptions, settingsOf } from './installed.ts';

const run = promisify(execFile);
const PROJECT = 'tds-e2e';
/** They are in the tests' own process. */
const withoutSimulators = [
  'platform-simulator',
  'payment-simulator',
  'mail-catcher',
  'webhook-receiver',
].flatMap((name) => ['--scale', `${name}=0`]);

const docker = async (...words: string[]): Promise<string> => (await run('docker', words)).stdout.trim();

/** The plugin of today, or the program of yesterday. */
const composeCommand = async (): Promise<string[]> => {
  try {
    await docker('compose', 'version');
    return ['docker', 'compose'];
  } catch {
    return ['docker-compose'];
  }
};

const containerOf = async (service: string): Promise<string> => {
  const labels = [`project=${PROJECT}`, `service=${service}`];
  const filters = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);
  const [name = ''] = (await docker('ps', '--format', '{{.Names}}', ...filters)).split('\n');
  return name;
};

const addressOf = async (service: string): Promise<string> => {
  const shown = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const addresses = await docker('inspect', '--format', shown, await containerOf(service));
  return addresses.split(' ')[0] ?? '';
};

/** This machine, as its containers reach it. */
const hostForContainers = (): string => {
  const addresses = Object.values(networkInterfaces()).flatMap((given) => given ?? []);
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (own === undefined) throw new Error('this machine has no address that its containers could reach');
  return own.address;
};

const untilHealthy = async (): Promise<void> => {
  const wanted = serviceNames.length;
  for (let left = 240; left > 0; left -= 1) {
    const healthy = await docker(
      'ps',
      '-q',
      '-f',
      `label=com.docker.compose.project=${PROJECT}`,
      '-f',
      'health=healthy',
    );
    if (healthy.split('\n').length >= wanted + SERVERS_WITH_HEALTH) return;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  throw new Error('the containers are not healthy: docker ps');
};
/** Postgres, both Redis, and what makes the streams. */
const SERVERS_WITH_HEALTH = 4;

/** An installation by docker-compose.yml, of images that were built before. */
export const startOnCompose = async ({ dir }: StartOptions): Promise<Installed> => {
  const outside = await outsideAt('0.0.0.0', hostForContainers());
  const secrets = path.join(dir, 'secrets');
  mkdirSync(dir, { recursive: true });
  const settingsFile = path.join(dir, 'settings.env');
  const lines = Object.entries(settingsOf(outside)).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(settingsFile, lines.join(''));
  const env = { ...process.env, TDS_SECRETS: secrets, PORT: String(outside.ports.gateway) };
  const script = path.join(workspaceRoot, 'infra/local/src/compose-secrets.ts');
  await run(process.execPath, [script, '--settings', settingsFile, '--to', secrets], { env });
  const [program = '', ...words] = [...(await composeCommand()), '--project-name', PROJECT];
  const compose = (...given: string[]) => run(program, [...words, ...given], { env, cwd: workspaceRoot });
  await compose('down', '--volumes', '--remove-orphans');
  await compose('up', '-d', '--no-build', ...withoutSimulators);
  await untilHealthy();
  const { adminUrl } = JSON.parse(readFileSync(path.join(secrets, 'databases.json'), 'utf8')) as {
    adminUrl: string;
  };
  const postgres = new URL(adminUrl);
  postgres.hostname = await addressOf('postgres');
  const health = serviceNames.map(async (name) => [name, `http://${await addressOf(name)}:9090`] as const);
  return {
    installation: {
      outside,
      places: {
        postgres: postgres.href,
        nats: `${await addressOf('nats')}:4222`,
        redis: `redis://${await addressOf('redis')}:6379`,
        redisCache: `redis://${await addressOf('redis-cache')}:6379`,
      },
      containers: { nats: await containerOf('nats'), redis: await containerOf('redis') },
      secretsFile: path.join(secrets, 'secrets.json'),
      health: Object.fromEntries(await Promise.all(health)),
    },
    stop: async () => void (await compose('down', '--volumes')),
  };
};
