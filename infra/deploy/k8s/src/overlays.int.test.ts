import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfigs, serviceNames } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';
import { overlays, placesOf, readOverlaySettings } from './places.ts';
import { type Rendered, renderAll, renderOverlay, renderOwn } from './test-support/rendered.ts';
import { findProblems } from './test-support/schemas.ts';

const ofKind = (objects: readonly Rendered[], kind: string) => objects.filter((one) => one.kind === kind);
const configs = Object.entries(await loadConfigs());

/** What stands in another namespace than its services is not found by them. */
const outsideOf = (objects: readonly Rendered[]) =>
  objects
    .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'tds')
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`);

const pages = readFileSync(path.join(workspaceRoot, 'docs/operations.md'), 'utf8');
const readYaml = (text: string) => parse(text.replaceAll('../infra/deploy/k8s/', '../../'));
/** The overlay that the pages have their readers write, and what they name to be added. */
const written = readYaml(/kustomization\.yaml <<'END'\n([\s\S]*?)\nEND\n/.exec(pages)?.[1] ?? '');
const additions = [...pages.matchAll(/`((?:components|configMapGenerator): \[.*?\])`/g)].map(
  ([, text = '']) => text,
);

describe('an own overlay', () => {
  it.each(additions)(
    'as the pages write it, with %s, stands in the namespace of the services',
    async (text) => {
      const { components = [], configMapGenerator = [] } = readYaml(text);
      const own = {
        ...written,
        resources: ['../ha'],
        components,
        configMapGenerator: [...written.configMapGenerator, ...configMapGenerator],
      };
      const files = { 'settings.env': 'LOG_LEVEL=warn\n', 'strategies.json': '[]' };
      expect(outsideOf((await renderOwn('ha', own, files)).objects)).toEqual([]);
    },
  );

  it.each(['ha', 'single-node'] as const)(
    'on %s as the pages write it serves its own host everywhere, with a certificate for it',
    async (overlay) => {
      const own = JSON.parse(JSON.stringify(written).replaceAll('example.com', 'lab.test'));
      const files = { 'settings.env': 'PUBLIC_URL=https://transcripts.lab.test\n' };
      const { objects } = await renderOwn(overlay, { ...own, resources: [`../${overlay}`] }, files);
      const [ingress] = ofKind(objects, 'Ingress');
      expect(ingress?.spec.tls[0].hosts).toEqual([ingress?.spec.rules[0].host]);
      expect(JSON.stringify(objects).match(/[\w.-]*example\.(?:com|org)/g) ?? []).toEqual([]);
    },
  );

  it.each([
    ['ha', 'gateway-api'],
    ['ha', 'objects-s3'],
    ['ha', 'po-tokens'],
    ['single-node', 'autoscaling'],
    ['single-node', 'monitoring'],
  ] as const)(
    'on %s that names no namespace has the component %s in that of the rest',
    async (overlay, name) => {
      const { objects } = await renderOwn(overlay, { components: [`../../components/${name}`] });
      expect(outsideOf(objects)).toEqual([]);
    },
  );
});

describe.each(overlays)('the overlay %s', (overlay) => {
  it('renders every service without a warning', async () => {
    const { objects, warnings } = await renderOverlay(overlay);
    expect(warnings).toBe('');
    const deployments = ofKind(objects, 'Deployment').map(({ metadata }) => metadata.name);
    expect(deployments).toEqual(expect.arrayContaining([...serviceNames, 'streams']));
  });

  it('has settings that some service reads, and none that is a secret', () => {
    const given = Object.keys(readOverlaySettings(overlay));
    const read = new Set(configs.flatMap(([, { variables }]) => variables));
    const secret = new Set(configs.flatMap(([, { secrets }]) => secrets.map(({ name }) => name)));
    expect(given.filter((name) => !read.has(name) || secret.has(name))).toEqual([]);
  });

  it('keeps an event on as many brokers as there are', async () => {
    const { objects } = await renderOverlay(overlay);
    const [{ data } = { data: {} }] = ofKind(objects, 'ConfigMap');
    const [brokers] = ofKind(objects, 'StatefulSet').filter(({ metadata }) => metadata.name === 'nats');
    expect(Number(data.EVENTS_REPLICAS)).toBe(brokers?.spec.replicas);
    expect(data.NATS_URL.split(',')).toHaveLength(brokers?.spec.replicas);
    expect(placesOf(overlay).brokers).toHaveLength(brokers?.spec.replicas);
  });
});

describe('what an installation changes', () => {
  it('a setting restarts the pods, because the name of their ConfigMap changes with it', async () => {
    const nameOf = (objects: readonly Rendered[]) => ofKind(objects, 'ConfigMap')[0]?.metadata.name;
    const own = {
      configMapGenerator: [{ name: 'settings', behavior: 'merge', literals: ['LOG_LEVEL=warn'] }],
    };
    const { objects } = await renderOwn('ha', own);
    expect(nameOf(objects)).not.toBe(nameOf((await renderAll()).ha));
    const [gateway] = ofKind(objects, 'Deployment').filter(({ metadata }) => metadata.name === 'gateway');
    expect(gateway?.spec.template.spec.containers[0].envFrom[0].configMapRef.name).toBe(nameOf(objects));
  });

  it('an image is named by registry and digest in one place', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const { objects } = await renderOwn('ha', {
      images: [{ name: 'tds-services', newName: 'registry.example.com/tds-services', digest }],
    });
    const images = JSON.stringify(objects).match(/"image":"[^"]*tds-services[^"]*"/g) ?? [];
    expect(images.length).toBeGreaterThan(serviceNames.length);
    expect(new Set(images)).toEqual(new Set([`"image":"registry.example.com/tds-services@${digest}"`]));
  });

  it('an HTTPRoute of the Gateway API takes the place of the Ingress, and ends no stream', async () => {
    const { objects } = await renderOwn('ha', { components: ['../../components/gateway-api'] });
    expect(ofKind(objects, 'Ingress')).toEqual([]);
    const [rule] = ofKind(objects, 'HTTPRoute').flatMap(({ spec }) => spec.rules);
    const [service] = ofKind(objects, 'Service').filter(({ metadata }) => metadata.name === 'gateway');
    expect(rule.backendRefs).toEqual([{ name: 'gateway', port: service?.spec.ports[0].port }]);
    expect(rule.timeouts.request).toBe('0s');
    expect(await findProblems(objects)).toEqual([]);
  });

  it('objects in a bucket take the place of their database, and only their services reach it', async () => {
    const { objects } = await renderOwn('ha', { components: ['../../components/objects-s3'] });
    expect(JSON.stringify(ofKind(objects, 'Deployment'))).not.toContain('OBJECTS_DATABASE_URL');
    const [{ data } = { data: {} }] = ofKind(objects, 'ConfigMap');
    expect(data).toMatchObject({ OBJECTS_S3_BUCKET: 'tds-objects', EVENTS_REPLICAS: '3' });
    const [opened] = ofKind(objects, 'NetworkPolicy').filter(({ metadata }) => metadata.name === 'to-bucket');
    const withObjects = configs.filter(([, { variables }]) => variables.includes('OBJECTS_S3_BUCKET'));
    const [{ values }] = opened?.spec.podSelector.matchExpressions ?? [];
    expect(values).toEqual(withObjects.map(([name]) => name).toSorted());
  });

  it('strategies are a file of an optional ConfigMap for the services that read it, and change without a restart', async () => {
    const { objects } = await renderOwn('ha', {
      configMapGenerator: [
        {
          name: 'platform-strategies',
          literals: ['strategies.json=[]'],
          options: { disableNameSuffixHash: true },
        },
        {
          name: 'settings',
          behavior: 'merge',
          literals: ['PLATFORM_STRATEGIES_FILE=/etc/tds/platform/strategies.json'],
        },
      ],
    });
    expect(await findProblems(objects)).toEqual([]);
    const readers = ofKind(objects, 'Deployment').filter((one) =>
      JSON.stringify(one).includes('"configMap":{"name":"platform-strategies","optional":true}'),
    );
    expect(readers.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'monitor-scheduler',
      'search',
      'transcript-fetcher',
    ]);
    for (const { spec } of readers)
      expect(spec.template.spec.containers[0].volumeMounts).toContainEqual({
        name: 'platform-strategies',
        mountPath: '/etc/tds/platform',
        readOnly: true,
      });
  });

  it('a provider of tokens, of an image that the installation names, serves the fetcher and no one else', async () => {
    const { objects } = await renderOwn('ha', {
      components: ['../../components/po-tokens'],
      images: [{ name: 'po-token-provider', newName: 'registry.example.com/provider', newTag: '1.3.1' }],
    });
    expect(await findProblems(objects)).toEqual([]);
    const named = (kind: string, name: string) =>
      ofKind(objects, kind).find(({ metadata }) => metadata.name === name)?.spec;
    const [container] = named('Deployment', 'po-token-provider').template.spec.containers;
    expect(container.image).toBe('registry.example.com/provider:1.3.1');
    const [{ data } = { data: {} }] = ofKind(objects, 'ConfigMap');
    const { hostname, port } = new URL(data.PO_TOKEN_PROVIDER_URL);
    const portOf = { name: hostname, port: named('Service', hostname).ports[0].port };
    expect(portOf).toEqual({ name: 'po-token-provider', port: Number(port) });
    const [{ from }] = named('NetworkPolicy', 'po-token-provider').ingress;
    const peerOf = (name: string) => [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } }];
    expect(from).toEqual(peerOf('transcript-fetcher'));
    const [{ to }] = named('NetworkPolicy', 'transcript-fetcher-to-provider').egress;
    expect(to).toEqual(peerOf('po-token-provider'));
  });
});
