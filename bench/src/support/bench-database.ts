import { OPERATOR } from '@tds/messaging/internals';
import { createServiceDatabases, kitPrismaDir, migrate } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { benchSurface } from './bench-contract.ts';

export type Urls = { readonly url: string; readonly ownerUrl: string };

/** Creates a database with the kit's own tables only. */
export const createBenchDatabase = async (bench: Bench, name: string): Promise<Urls> => {
  const { postgres, secretOf } = await bench.servers();
  const created = (await createServiceDatabases(postgres.url, [name], secretOf))[name];
  if (!created) throw new Error(`${name} was not created`);
  await migrate({ databaseUrl: created.ownerUrl, prismaDirs: [kitPrismaDir] });
  return created;
};

/** The settings of a helper that is a service on the kit, or the operator. */
export const benchEnvironment = async (bench: Bench): Promise<NodeJS.ProcessEnv> => {
  const { nats, redis } = await bench.servers();
  return {
    NATS_URL: nats.servers,
    NATS_NKEY_SEED: nats.seedOf(benchSurface.name),
    OPERATOR_NKEY_SEED: nats.seedOf(OPERATOR),
    REDIS_URL: redis.urlOf(benchSurface.name),
    LOG_LEVEL: 'warn',
  };
};
