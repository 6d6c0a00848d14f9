import { networksOf } from '@tds/docker';
import type { Config } from '@tds/provisioning';
import type { INamespace } from 'kubernetes-models/v1';
import { stringify } from 'yaml';
import { httpRoute, ingress } from './entrances.ts';
import { jobObjects, jobReach } from './jobs.ts';
import { monitoringObjects } from './monitoring.ts';
import { labelsOf } from './objects.ts';
import { baseSettings, type Overlay, overlays, settingsOf } from './places.ts';
import { internet, operatorPolicy, podPolicy, policy, type Reach, serverPolicies } from './policies.ts';
import { haPostgres } from './postgres-clusters.ts';
import { scaler } from './scaling.ts';
import { nats, postgres, redis } from './servers.ts';
import { gatewayService, serviceObjects } from './service.ts';
import { simulatorObjects } from './simulators.ts';

type Files = Readonly<Record<string, string>>;
type Configs = Readonly<Record<string, Config>>;

const NOTICE = '# Made by `npm run generate` of infra/k8s/src and of the services: change those.\n';
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
  const reach: Reach = { ...Object.fromEntries(ofServices), ...jobReach };
  const ownFiles: Files = {
    'gateway-service.yaml': yaml(gatewayService),
    'jobs.yaml': yaml(...jobObjects(), ...Object.entries(jobReach).map(([name, to]) => podPolicy(name, to))),
    'policies.yaml': yaml(...serverPolicies(reach)),
    'redis.yaml': yaml(...redis()),
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
      resources: Object.keys(ownFiles),
      ...settingsMap({ envs: ['settings.env'], options: { labels: labelsOf('settings') } }),
    }),
  };
};

const component = (
  folder: string,
  resources: Readonly<Record<string, readonly unknown[]>>,
  more: object = {},
): Files => ({
  ...Object.fromEntries(
    Object.entries(resources).map(([name, objects]) => [`${folder}/${name}.yaml`, yaml(...objects)]),
  ),
  [`${folder}/kustomization.yaml`]: kustomization('Component', {
    resources: Object.keys(resources).map((name) => `${name}.yaml`),
    ...more,
  }),
});

/** In place of the Ingress. */
const gatewayApi = (): Files =>
  component(
    'components/gateway-api',
    { 'http-route': [httpRoute] },
    {
      patches: [
        { patch: stringify({ ...ingress, metadata: { name: ingress.metadata?.name }, $patch: 'delete' }) },
      ],
    },
  );

/** Files in a bucket instead of Postgres, for the services that have objects. */
const objectsS3 = (configs: Configs): Files => {
  const users = Object.keys(configs).filter((name) => configs[name]?.variables.includes('OBJECTS_S3_BUCKET'));
  const without = { name: 'OBJECTS_DATABASE_URL', $patch: 'delete' };
  const patchOf = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      template: {
        spec: {
          containers: [{ name, env: [without] }],
          initContainers: [{ name: 'await-databases', env: [without] }],
        },
      },
    },
  });
  const policies = users.map((name) =>
    policy(`${name}-to-bucket`, [], [internet(443)], { matchLabels: labelsOf(name) }),
  );
  return {
    'components/objects-s3/policies.yaml': yaml(...policies),
    'components/objects-s3/kustomization.yaml': kustomization('Component', {
      resources: ['policies.yaml'],
      ...settingsMap({
        behavior: 'merge',
        literals: ['OBJECTS_S3_BUCKET=tds-objects', 'OBJECTS_S3_REGION=us-east-1'],
      }),
      patches: users.map((name) => ({ patch: stringify(patchOf(name)) })),
    }),
  };
};

const namespace: INamespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'tds',
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/enforce-version': 'v1.32',
    },
  },
};

type OverlayParts = {
  readonly files: Readonly<Record<string, readonly unknown[]>>;
  readonly components: readonly string[];
  /** Of each service; undefined if autoscalers decide. */
  readonly replicas?: number;
};

/** `dev`: simulators, no public address. `single-node`: one of each. `ha`: autoscaled, on three machines. */
const overlayParts: Readonly<Record<Overlay, OverlayParts>> = {
  dev: { files: { simulators: simulatorObjects() }, components: ['servers'], replicas: 1 },
  'single-node': { files: { ingress: [ingress] }, components: ['servers'], replicas: 1 },
  ha: {
    files: { ingress: [ingress], nats: nats(3), postgres: [...haPostgres(), operatorPolicy] },
    components: ['autoscaling', 'monitoring'],
  },
};

const overlayFiles = (overlay: Overlay, names: readonly string[]): Files => {
  const { files, components, replicas } = overlayParts[overlay];
  const settings = settingsOf[overlay];
  const hasSettings = Object.keys(settings).length > 0;
  const resources = { namespace: [namespace], ...files };
  const written = Object.entries(resources).map(
    ([name, objects]) => [`${name}.yaml`, yaml(...objects)] as const,
  );
  const own: Files = {
    ...Object.fromEntries(written),
    ...(hasSettings ? { 'settings.env': env(settings) } : {}),
    'kustomization.yaml': kustomization('Kustomization', {
      namespace: 'tds',
      resources: ['../../base', ...written.map(([name]) => name)],
      components: components.map((one) => `../../components/${one}`),
      ...(hasSettings ? settingsMap({ behavior: 'merge', envs: ['settings.env'] }) : {}),
      ...(replicas ? { replicas: names.map((name) => ({ name, count: replicas })) } : {}),
    }),
  };
  return under(`overlays/${overlay}`, own);
};

const under = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** Every file of infra/k8s that is made, by its path in the workspace. */
export const kubernetesFiles = (configs: Configs): Files => {
  const names = Object.keys(configs);
  return under('infra/k8s', {
    ...under('base', base(configs)),
    ...component('components/autoscaling', Object.fromEntries(names.map((name) => [name, [scaler(name)]]))),
    ...component('components/servers', { postgres: postgres(), nats: nats(1) }),
    ...component('components/monitoring', { monitoring: monitoringObjects() }),
    ...gatewayApi(),
    ...objectsS3(configs),
    ...Object.assign({}, ...overlays.map((overlay) => overlayFiles(overlay, names))),
  });
};
