import path from 'node:path';
import type { Surface } from '@tds/contracts';
import { OPERATOR, PROVISIONER } from '@tds/messaging/internals';
import { type Databases, ensureDatabases, loadSurfaces } from '@tds/provisioning';
import {
  type BrokerUsers,
  brokerUsers,
  type RedisUsers,
  redisUsers,
  startProvisioner,
} from '@tds/provisioning/rights';
import {
  ensureNats,
  ensurePostgres,
  ensureRedis,
  openSecrets,
  type RedisOptions,
  type RunningNats,
  type RunningPostgres,
  type RunningRedis,
  type SecretOf,
} from '@tds/servers';
import { refuseOtherData, type serverFolders } from './local-data.ts';
import { readStoreBytes } from './settings.ts';

/** `url` is the operator's. */
export type RedisWithUsers = RunningRedis & { urlOf(user: string): string };

export type Servers = Databases & {
  readonly postgres: RunningPostgres;
  readonly nats: RunningNats & Pick<BrokerUsers, 'seedOf'>;
  readonly redis: RedisWithUsers;
  readonly redisCache: RedisWithUsers;
  readonly secretOf: SecretOf;
  stop(): Promise<void>;
};

export type ServersOptions = {
  /** Where their data stays. */
  readonly dir: string;
  /** For tests: faster, not durable, and gone with the process. */
  readonly throwaway?: boolean;
  /** Further settings of postgresql.conf. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  /** Of Postgres, such as one in which its calendar is off. */
  readonly postgresEnvironment?: NodeJS.ProcessEnv | undefined;
  /** Settings from the shell: PLATFORM_ORIGIN and SMTP_URL replace a simulator by the real server. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Of services beside those of this repository, such as a benchmark's own. */
  readonly moreSurfaces?: readonly Surface[];
  /** Makes the databases of another release. */
  readonly ensure?: typeof ensureDatabases;
  /** Ends the wait for what does not come. */
  readonly signal?: AbortSignal;
  readonly onStep?: (title: string) => () => void;
  readonly onEvent?: (line: string) => void;
};

/** Starts Postgres, NATS and Redis on the data of the last run, and migrates every database. */
export async function startServers({
  dir,
  throwaway = false,
  postgresSettings = {},
  postgresEnvironment,
  moreSurfaces = [],
  environment = {},
  ensure = ensureDatabases,
  signal,
  onStep,
  onEvent,
}: ServersOptions): Promise<Servers> {
  const secretOf = openSecrets(path.join(dir, 'secrets.json'));
  const serverOptions = (name: (typeof serverFolders)[number]) => ({
    dir: path.join(dir, name),
    throwaway,
    keepAlive: true,
    onEvent,
  });
  const surfaces = [...(await loadSurfaces()), ...moreSurfaces];
  const storeBytes = readStoreBytes(environment, 1);
  const { authorization, seedOf } = brokerUsers(surfaces, secretOf);
  const startWithUsers = startRedis(redisUsers(surfaces, secretOf));
  const serversDone = onStep?.('Postgres, NATS and Redis');
  const [postgres, nats, redis, redisCache] = await Promise.all([
    ensurePostgres({
      ...serverOptions('postgres'),
      settings: postgresSettings,
      environment: postgresEnvironment,
    }),
    ensureNats({ ...serverOptions('nats'), extraConfig: authorization, storeBytes }),
    startWithUsers({ ...serverOptions('redis'), keeps: 'records' }),
    startWithUsers({ ...serverOptions('redis-cache'), keeps: 'cache' }),
  ]);
  serversDone?.();
  await refuseOtherData(dir, postgres.url);
  const migrationsDone = onStep?.('streams, databases and migrations');
  const login = { url: nats.servers, nkeySeed: seedOf(PROVISIONER) };
  const provisioner = await startProvisioner({ ...login, surfaces, environment, signal });
  const { databases, objects } = await ensure(postgres.url, surfaces, secretOf);
  migrationsDone?.();
  const running = { postgres, nats: Object.assign(nats, { seedOf }), redis, redisCache };
  const stop = async () => {
    await provisioner.stop();
    await Promise.all(Object.values(running).map((server) => server.stop()));
  };
  return { ...running, databases, objects, secretOf, stop };
}

/** With its users, written at each start, so that a new service has its rights. */
const startRedis =
  ({ fileOf, urlOf }: RedisUsers) =>
  async (options: RedisOptions): Promise<RedisWithUsers> => {
    const server = await ensureRedis({ ...options, users: fileOf(options.keeps) });
    const { url } = server;
    return Object.assign(server, { url: urlOf(OPERATOR, url), urlOf: (user: string) => urlOf(user, url) });
  };
