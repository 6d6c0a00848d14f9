import type { Config } from '@tds/provisioning';

/** Where servers and services listen inside an installation. */
export const PORTS = {
  http: 8080,
  health: 9090,
  postgres: 5432,
  nats: 4222,
  natsRoutes: 6222,
  redis: 6379,
  platform: 8081,
  payments: 8082,
  mailbox: 8025,
  smtp: 1025,
} as const;

/** A service that reads one of these variables talks to what is behind that network. */
const networkOfVariable = {
  DATABASE_URL: 'postgres',
  OBJECTS_DATABASE_URL: 'postgres',
  NATS_URL: 'nats',
  REDIS_URL: 'redis',
  REDIS_CACHE_URL: 'redis-cache',
  HEALTH_PORT: 'metrics',
  TRUSTED_PROXIES: 'front',
  OBJECTS_S3_BUCKET: 'bucket',
} as const;

export type Network = (typeof networkOfVariable)[keyof typeof networkOfVariable] | Config['outside'][number];

/** What a service may reach and be reached by; containers and network policies are made of it. */
export const listNetworks = ({ variables, outside }: Pick<Config, 'variables' | 'outside'>): Network[] => {
  const byVariable: Readonly<Record<string, Network>> = networkOfVariable;
  return [...new Set([...variables.flatMap((name) => byVariable[name] ?? []), ...outside])].toSorted();
};
