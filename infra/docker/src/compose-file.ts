import { type Document, isMap, parseDocument, type YAMLMap } from 'yaml';

const HEAD =
  ' Made by `npm run generate` of infra/docker/compose.yml and of the services under services/: change it there.\n';

const mapIn = (file: Document, name: string): YAMLMap => {
  const map = file.get(name);
  if (!isMap(map)) throw new Error(`compose.yml has no ${name}`);
  return map;
};

/** A service that reads one of these variables talks to what is behind that network. */
const networkOf: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres',
  OBJECTS_DATABASE_URL: 'postgres',
  NATS_URL: 'nats',
  REDIS_URL: 'redis',
  REDIS_CACHE_URL: 'redis-cache',
  HEALTH_PORT: 'measures',
  TRUSTED_PROXIES: 'front',
  PLATFORM_ORIGIN: 'platform',
  SMTP_URL: 'mail',
  STRIPE_API_ORIGIN: 'payments',
  WEBHOOK_DNS: 'receivers',
  OBJECTS_S3_BUCKET: 'bucket',
};

/** What a service is started after, if it is in the network. */
const startedAfter: Readonly<Record<string, readonly [container: string, condition: string]>> = {
  postgres: ['databases', 'service_completed_successfully'],
  nats: ['streams', 'service_healthy'],
  redis: ['redis', 'service_healthy'],
  'redis-cache': ['redis-cache', 'service_healthy'],
};

const needsOf = (variables: readonly string[]) => {
  const networks = [...new Set(variables.flatMap((name) => networkOf[name] ?? []))].toSorted();
  const after = networks.flatMap((name) => (startedAfter[name] ? [startedAfter[name]] : [])).toSorted();
  return { networks, after };
};

/** What `x-service` says, its sources, its secrets as a file, its networks, and then what the service has of its own. */
const addService = (file: Document, name: string, variables: readonly string[]): void => {
  const services = mapIn(file, 'services');
  const own = services.get(name);
  const entry = isMap(own) ? own : (file.createNode({}) as YAMLMap);
  const { networks, after } = needsOf(variables);
  const secret = file.createNode({ source: name, target: 'environment' }, { flow: true });
  entry.items.unshift(
    file.createPair('<<', file.createAlias(mapIn(file, 'x-service'), 'service')),
    file.createPair('working_dir', `/app/services/${name}`),
    file.createPair('secrets', [secret]),
    file.createPair('networks', file.createNode(networks, { flow: true })),
    file.createPair(
      'depends_on',
      Object.fromEntries(
        after.map(([container, condition]) => [container, file.createNode({ condition }, { flow: true })]),
      ),
    ),
  );
  if (own) return;
  const key = file.createNode(name);
  key.spaceBefore = true;
  services.items.push(file.createPair(key, entry));
};

/** docker-compose.yml: what stands in `base`, and every service; `variablesOf` names what each reads of its environment. */
export const composeFile = (
  base: string,
  variablesOf: Readonly<Record<string, readonly string[]>>,
): string => {
  const file = parseDocument(base, { merge: true });
  const [error] = file.errors;
  if (error) throw error;
  const secrets = mapIn(file, 'secrets');
  for (const [name, variables] of Object.entries(variablesOf)) {
    addService(file, name, variables);
    secrets.set(
      name,
      file.createNode({ file: `\${TDS_SECRETS:-./.local/compose}/${name}.env` }, { flow: true }),
    );
  }
  file.commentBefore = HEAD + (file.commentBefore ?? '');
  return file.toString({ lineWidth: 0, flowCollectionPadding: true });
};
