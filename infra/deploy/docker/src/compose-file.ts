import { readFileSync } from 'node:fs';
import path from 'node:path';
import { releases, workspaceRoot } from '@tds/servers';
import { type Document, isMap, parseDocument, type YAMLMap } from 'yaml';
import { listNetworks } from './networks.ts';

type Reaching = Parameters<typeof listNetworks>[0];

const HEAD =
  ' Made by `npm run generate` of infra/deploy/docker/compose.yml and of the services under services/: change it there.\n';

const mapIn = (file: Document, name: string): YAMLMap => {
  const map = file.get(name);
  if (!isMap(map)) throw new Error(`compose.yml has no ${name}`);
  return map;
};

/** What a service is started after, if it is in the network. */
const startedAfter: Readonly<Record<string, readonly [container: string, condition: string]>> = {
  postgres: ['databases', 'service_completed_successfully'],
  nats: ['streams', 'service_healthy'],
  redis: ['redis', 'service_healthy'],
  'redis-cache': ['redis-cache', 'service_healthy'],
};

/** What `x-service` says, its sources, its secrets as a file, its networks, and then what the service has of its own. */
const addService = (file: Document, name: string, config: Reaching): void => {
  const services = mapIn(file, 'services');
  const existing = services.get(name);
  const entry = isMap(existing) ? existing : (file.createNode({}) as YAMLMap);
  const networks = listNetworks(config);
  const after = networks.flatMap((network) => (startedAfter[network] ? [startedAfter[network]] : []));
  const secret = file.createNode({ source: name, target: 'environment' }, { flow: true });
  entry.items.unshift(
    file.createPair('<<', file.createAlias(mapIn(file, 'x-service'), 'service')),
    file.createPair('working_dir', `/app/services/${name}`),
    file.createPair('secrets', [secret]),
    file.createPair('networks', file.createNode(networks, { flow: true })),
    file.createPair(
      'depends_on',
      Object.fromEntries(
        after
          .toSorted()
          .map(([container, condition]) => [container, file.createNode({ condition }, { flow: true })]),
      ),
    ),
  );
  if (existing) return;
  const key = file.createNode(name);
  key.spaceBefore = true;
  services.items.push(file.createPair(key, entry));
};

const isServer = (name: string): name is keyof typeof releases => name in releases;

/** infra/deploy/docker/compose.yml with the releases of its servers. */
const composeTemplate = (): string =>
  readFileSync(path.join(workspaceRoot, 'infra/deploy/docker/compose.yml'), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => {
      if (!isServer(name)) throw new Error(`compose.yml names a release of ${name}, which has none`);
      return releases[name];
    },
  );

/** docker-compose.yml: the template, and every service. */
export const renderComposeFile = (configs: Readonly<Record<string, Reaching>>): string => {
  const file = parseDocument(composeTemplate(), { merge: true });
  const [error] = file.errors;
  if (error) throw error;
  const secrets = mapIn(file, 'secrets');
  for (const [name, config] of Object.entries(configs)) {
    addService(file, name, config);
    secrets.set(
      name,
      file.createNode({ file: `\${TDS_SECRETS:-./.local/compose}/${name}.env` }, { flow: true }),
    );
  }
  file.commentBefore = HEAD + (file.commentBefore ?? '');
  return file.toString({ lineWidth: 0, flowCollectionPadding: true });
};
