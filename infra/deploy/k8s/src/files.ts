import { readFileSync } from 'node:fs';
import path from 'node:path';
import { networksOf } from '@tds/docker';
import type { Config } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { parse, stringify } from 'yaml';
import { labelsOf, named } from './objects.ts';
import { baseSettings, type Overlay, overlays, settingsOf } from './places.ts';
import { jobReach, podPolicy, serverPolicies } from './policies.ts';
import { serviceObjects } from './service.ts';

type Files = Readonly<Record<string, string>>;
type Configs = Readonly<Record<string, Config>>;

const NOTICE = '# Made by `npm run generate` of infra/deploy/k8s/src and of the services: change those.\n';
const yaml = (...documents: readonly unknown[]): string =>
  NOTICE +
  documents.map((one) => stringify(one, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
const env = (settings: Readonly<Record<string, string>>): string =>
  NOTICE +
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

const kustomization = (kind: 'Kustomization' | 'Component', rest: object): string => {
  const version = kind === 'Component' ? 'v1alpha1' : 'v1beta1';
  return yaml({ apiVersion: `kustomize.config.k8s.io/${version}`, kind, ...rest });
};
/** Its name ends in a hash of its content, so a changed setting restarts the pods that read it. */
const settingsMap = (more: object) => ({ configMapGenerator: [{ name: 'settings', ...more }] });

const base = (configs: Configs): Files => {
  const ofServices = Object.entries(configs).map(([name, config]) => [name, networksOf(config)] as const);
  const ownFiles: Files = {
    'policies.yaml': yaml(...serverPolicies({ ...Object.fromEntries(ofServices), ...jobReach })),
    ...Object.fromEntries(
      ofServices.map(([name, networks]) => [
        `services/${name}.yaml`,
        yaml(...serviceObjects(name, configs[name] as Config), podPolicy(name, networks)),
      ]),
    ),
  };
  return {
    ...ownFiles,
    'settings.env': env(baseSettings),
    'kustomization.yaml': kustomization('Kustomization', {
      resources: ['gateway-service.yaml', 'jobs.yaml', 'redis.yaml', ...Object.keys(ownFiles)],
      ...settingsMap({ envs: ['settings.env'], options: { labels: labelsOf('settings') } }),
    }),
  };
};

/** The alerts and objectives of infra/deploy/observability. */
const rules = (): object => {
  const text = readFileSync(path.join(workspaceRoot, 'infra/deploy/observability/rules.yml'), 'utf8');
  const { groups } = parse(text) as { groups: object };
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: named('rules'),
    spec: { groups },
  };
};

type OverlayParts = {
  /** Files beside `namespace.yaml`. */
  readonly files: readonly string[];
  readonly components: readonly string[];
  /** Of each service; undefined if autoscalers decide. */
  readonly replicas?: number;
};

/** `dev`: simulators, no public address. `single-node`: one of each. `ha`: autoscaled, on three machines. */
const overlayParts: Readonly<Record<Overlay, OverlayParts>> = {
  dev: { files: ['simulators'], components: ['servers'], replicas: 1 },
  'single-node': { files: ['ingress'], components: ['servers'], replicas: 1 },
  ha: {
    files: ['ingress', 'nats', 'postgres', 'postgres-operator'],
    components: ['autoscaling', 'monitoring'],
  },
};

const overlayFiles = (overlay: Overlay, names: readonly string[]): Files => {
  const { files, components, replicas } = overlayParts[overlay];
  const settings = settingsOf[overlay];
  const hasSettings = Object.keys(settings).length > 0;
  return under(`overlays/${overlay}`, {
    ...(hasSettings ? { 'settings.env': env(settings) } : {}),
    'kustomization.yaml': kustomization('Kustomization', {
      namespace: 'tds',
      resources: ['../../base', ...['namespace', ...files].map((name) => `${name}.yaml`)],
      components: components.map((one) => `../../components/${one}`),
      ...(hasSettings ? settingsMap({ behavior: 'merge', envs: ['settings.env'] }) : {}),
      ...(replicas ? { replicas: names.map((name) => ({ name, count: replicas })) } : {}),
    }),
  });
};

const under = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** Every file of infra/deploy/k8s that follows from code, by its path in the workspace; the others are written by hand. */
export const kubernetesFiles = (configs: Configs): Files => {
  const names = Object.keys(configs);
  return under('infra/deploy/k8s', {
    ...under('base', base(configs)),
    'components/monitoring/rules.yaml': yaml(rules()),
    ...Object.assign({}, ...overlays.map((overlay) => overlayFiles(overlay, names))),
  });
};
