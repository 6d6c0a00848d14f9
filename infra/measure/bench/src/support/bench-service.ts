import { connect, type NatsConnection } from '@nats-io/transport-node';
import { defineContract, defineSurface, type ServiceName } from '@tds/contracts';
import { inboxOf, nkeyAuthenticator, OPERATOR } from '@tds/messaging/internals';
import { createServiceDatabases, kitPrismaDir, migrate } from '@tds/servers';
import { z } from 'zod';
import type { Bench } from '../benchmark.ts';

/** The service that all helpers are to the broker. Only they have its streams and its user. */
const BENCH = 'bench' as ServiceName;

/** Makes an event as long as most events of the system. */
export const FILLING = 'x'.repeat(200);

export const benchContract = defineContract(BENCH, {
  events: { benchHappened: { payload: z.object({ n: z.number(), filling: z.string() }) } },
});

export const benchSurface = defineSurface(benchContract);

/** Milliseconds on the clock that all processes of the machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1_000_000;

/** A connection that may do everything. */
export const connectOperator = (servers: string, seed: string): Promise<NatsConnection> =>
  connect({
    servers,
    noAsyncTraces: true,
    inboxPrefix: inboxOf(OPERATOR),
    authenticator: nkeyAuthenticator(seed),
  });

/** Creates a database with the kit's own tables only. */
export const createBenchDatabase = async ({ servers: { postgres, secretOf } }: Bench, name: string) => {
  const created = (await createServiceDatabases(postgres.url, [name], secretOf))[name];
  if (!created) throw new Error(`${name} was not created`);
  await migrate({ databaseUrl: created.ownerUrl, prismaDirs: [kitPrismaDir] });
  return created;
};

/** The settings of a helper that is a service on the kit, or the operator. */
export const benchEnvironment = ({ servers: { nats, redis } }: Bench): NodeJS.ProcessEnv => ({
  NATS_URL: nats.servers,
  NATS_NKEY_SEED: nats.seedOf(benchSurface.name),
  OPERATOR_NKEY_SEED: nats.seedOf(OPERATOR),
  REDIS_URL: redis.urlOf(benchSurface.name),
  LOG_LEVEL: 'warn',
});
