import path from 'node:path';
import { databaseNames, type InstanceCounts, type PostgresCount, postgresOf } from '@tds/local';
import { workspaceRoot } from '@tds/servers';

const serverNetworks = ['postgres', 'nats', 'redis', 'redis-cache'] as const;

/** Servers keep their addresses when they die, so that what is outside of the containers reaches them as before. */
const NETWORKS = '172.29';
export const subnetOfServers = `${NETWORKS}.0.0/16`;
export const places = {
  postgres: ['postgres', `${NETWORKS}.0.10`],
  nats: ['nats', `${NETWORKS}.1.10`],
  'nats-2': ['nats', `${NETWORKS}.1.11`],
  'nats-3': ['nats', `${NETWORKS}.1.12`],
  redis: ['redis', `${NETWORKS}.2.10`],
  'redis-cache': ['redis-cache', `${NETWORKS}.3.10`],
} as const;

const otherNames = databaseNames.map(postgresOf).filter((name) => name !== 'postgres');

/** The addresses of the servers of Postgres by their names. */
export const postgresPlaces = (postgres: PostgresCount): Readonly<Record<string, string>> => ({
  postgres: places.postgres[1],
  ...(postgres === 'each' &&
    Object.fromEntries(otherNames.map((name, index) => [name, `${NETWORKS}.0.${index + 11}`]))),
});

/** As the Postgres of docker-compose.yml, each with a volume and a password of its own; databases wait for all. */
const otherServers = (secrets: string) => {
  const addresses = postgresPlaces('each');
  const forEachName = (build: (name: string) => object) =>
    Object.fromEntries(otherNames.map((name) => [name, build(name)]));
  const server = (name: string) => ({
    extends: { file: path.join(workspaceRoot, 'docker-compose.yml'), service: 'postgres' },
    environment: { POSTGRES_PASSWORD_FILE: `/run/secrets/${name}` },
    secrets: [name],
    volumes: [`${name}:/var/lib/postgresql`],
    networks: { postgres: { ipv4_address: addresses[name] } },
  });
  return {
    services: {
      ...forEachName(server),
      databases: { depends_on: forEachName(() => ({ condition: 'service_healthy' })) },
    },
    volumes: forEachName(() => ({})),
    secrets: forEachName((name) => ({ file: path.join(secrets, `${name}-password`) })),
  };
};

/** On top of docker-compose.yml: the addresses of servers, and how many there are of everything else. */
export const buildProjectFile = (instances: InstanceCounts, postgres: PostgresCount, secrets: string) => {
  const { services = {}, ...more } = postgres === 'each' ? otherServers(secrets) : {};
  return {
    ...more,
    services: {
      ...services,
      ...Object.fromEntries([
        ...Object.entries(places).map(([name, [network, address]]) => [
          name,
          { networks: { [network]: { ipv4_address: address } } },
        ]),
        ...Object.entries(instances).map(([name, scale]) => [name, { scale }]),
      ]),
    },
    networks: Object.fromEntries(
      serverNetworks.map((name, index) => {
        const subnet = `${NETWORKS}.${index}`;
        return [name, { ipam: { config: [{ subnet: `${subnet}.0/24`, ip_range: `${subnet}.128/25` }] } }];
      }),
    ),
  };
};
