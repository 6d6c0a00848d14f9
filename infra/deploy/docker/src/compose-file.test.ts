import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfigs, serviceNames } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';
import { renderComposeFile } from './compose-file.ts';

type Container = {
  readonly image?: string;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly cpus?: number | string;
  readonly cap_drop?: readonly string[];
  readonly working_dir?: string;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly (string | { source: string; target: string })[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
};
type File = {
  readonly services: Readonly<Record<string, Container>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
  readonly networks: Readonly<Record<string, { internal?: boolean } | null>>;
};

const notYetWritten = { variables: ['NATS_URL', 'DATABASE_URL'], outside: [] };
const file = parse(renderComposeFile({ ...(await loadConfigs()), 'not-yet-written': notYetWritten }), {
  merge: true,
  maxAliasCount: -1,
}) as File;
const containers = Object.entries(file.services);

describe('docker-compose.yml', () => {
  it.each([...serviceNames, 'not-yet-written'])(
    'starts %s in its folder, with its own secrets, after its database and its streams',
    (name) => {
      const { working_dir, secrets, depends_on = {} } = file.services[name] ?? {};
      expect([working_dir, secrets]).toEqual([
        `/app/services/${name}`,
        [{ source: name, target: 'environment' }],
      ]);
      expect(file.secrets[name]).toEqual({ file: `\${TDS_SECRETS:-./.local/compose}/${name}.env` });
      expect(depends_on).toMatchObject({
        databases: { condition: 'service_completed_successfully' },
        streams: { condition: 'service_healthy' },
      });
    },
  );

  it('lets no container write to its image or keep a capability', () => {
    const loose = containers.filter(([, one]) => !one.read_only || one.cap_drop?.[0] !== 'ALL');
    expect(loose.map(([name]) => name)).toEqual([]);
  });

  it('publishes the gateway and the pages for people, on loopback by default', () => {
    const published = containers.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published.toSorted()).toEqual([
      'alertmanager',
      'gateway',
      'grafana',
      'mail-catcher',
      'payment-simulator',
      'platform-simulator',
      'prometheus',
      'webhook-dispatcher',
    ]);
    for (const [, { ports = [] }] of containers) for (const port of ports) expect(port).toContain('127.0.0.1');
  });

  const membersOf = (network: string) =>
    containers
      .filter(([, { networks }]) => networks?.includes(network))
      .map(([name]) => name)
      .toSorted();

  it('gives each server a network without a way out, and in it only what has an address of the server', () => {
    const inside = ['postgres', 'nats', 'redis', 'redis-cache', 'metrics'];
    const internal = Object.entries(file.networks).filter(([, network]) => network?.internal);
    expect(internal.map(([name]) => name)).toEqual(inside);
    expect(membersOf('redis')).toEqual(['credits-ledger', 'gateway', 'identity', 'redis']);
    expect(membersOf('redis-cache')).toEqual(['gateway', 'redis-cache', 'transcript-fetcher']);
    expect(membersOf('postgres')).toEqual(
      [...serviceNames, 'not-yet-written', 'postgres', 'databases'].toSorted(),
    );
  });

  it('gives a way out to the services that talk to something there, each together with nothing else', () => {
    const out = Object.keys(file.networks).filter((name) => !file.networks[name]?.internal);
    expect(Object.fromEntries(out.map((name) => [name, membersOf(name)]))).toEqual({
      front: ['gateway', 'payment-simulator'],
      platform: [
        'monitor-scheduler',
        'platform-simulator',
        'po-token-provider',
        'search',
        'transcript-fetcher',
      ],
      smtp: ['alertmanager', 'identity', 'mail-catcher'],
      processor: ['billing', 'payment-simulator'],
      receivers: ['webhook-dispatcher'],
      bucket: ['archiver', 'gateway', 'transcript-fetcher'],
      operators: ['alertmanager', 'grafana', 'otel-collector', 'prometheus'],
    });
    expect(file.services['webhook-dispatcher']?.networks).toEqual(['metrics', 'nats', 'postgres', 'receivers']);
  });

  it('bounds what each container takes of the machine', () => {
    const unbound = containers.filter(([, one]) => !(one.mem_limit && one.pids_limit && one.cpus));
    expect(unbound.map(([name]) => name)).toEqual([]);
  });

  it('says of each server and simulator whether it is healthy; jobs end, and collector and provider have no shell', () => {
    const silent = containers.filter(
      ([name, { healthcheck, image }]) =>
        !healthcheck?.test && !serviceNames.includes(name) && !(image ?? '').startsWith('tds-services'),
    );
    expect(silent.map(([name]) => name)).toEqual(['po-token-provider', 'otel-collector']);
  });

  it('lets webhooks reach the receiver at the address that its page has on the machine', () => {
    const { environment, ports } = {
      ...file.services['webhook-receiver'],
      ports: file.services['webhook-dispatcher']?.ports,
    };
    expect(environment?.PUBLIC_ORIGIN).toBe(`http://${ports?.[0]?.replace(/:8083$/, '')}`);
  });

  it('has no administrator of Grafana with a known password', () => {
    const { environment, secrets } = file.services.grafana ?? {};
    expect(environment).toMatchObject({
      GF_AUTH_BASIC_ENABLED: 'false',
      GF_SECURITY_ADMIN_PASSWORD__FILE: '/run/secrets/grafana-password',
    });
    expect(secrets).toEqual(['grafana-password']);
  });

  it('starts simulators, further brokers, the provider and the observers only if operators ask for them, from files that exist', () => {
    const optional = containers.filter(([, { profiles }]) => profiles);
    expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['nats-2', ['brokers']],
      ['nats-3', ['brokers']],
      ...['platform-simulator', 'payment-simulator', 'mail-catcher', 'webhook-receiver'].map((name) => [
        name,
        ['trial'],
      ]),
      ['po-token-provider', ['tokens']],
      ['prometheus', ['observability']],
      ['node-exporter', ['observability']],
      ['alertmanager', ['observability']],
      ['grafana', ['observability']],
      ['otel-collector', ['traces']],
    ]);
    const mounted = optional
      .flatMap(([, { volumes = [] }]) => volumes.map((one) => one.replace(/^\$\{\w+:-(.+)\}:/, '$1:')))
      .filter((one) => one.startsWith('./infra/'));
    expect(mounted).toHaveLength(7);
    for (const one of mounted)
      expect(existsSync(path.join(workspaceRoot, String(one.split(':')[0])))).toBe(true);
  });

  it('gives a folder of the operator to the services that read the strategies in it', async () => {
    const readers = Object.entries(await loadConfigs())
      .filter(([, { variables }]) => variables.includes('PLATFORM_STRATEGIES_FILE'))
      .map(([name]) => name);
    const mounting = containers.filter(([, { volumes = [] }]) =>
      volumes.some((one) => one.endsWith(':/etc/tds/platform:ro')),
    );
    expect(mounting.map(([name]) => name).toSorted()).toEqual(readers.toSorted());
  });

  it('has Prometheus scrape the services at the addresses of its configuration', () => {
    const { secrets = [] } = file.services.prometheus ?? {};
    expect(secrets).toEqual([{ source: 'targets', target: '/etc/prometheus/targets/compose.json' }]);
    expect(file.services.search?.environment).toMatchObject({ HEALTH_HOST: '0.0.0.0', HEALTH_PORT: '9090' });
    expect(membersOf('metrics')).toEqual(expect.arrayContaining([...serviceNames, 'prometheus']));
  });

  it('drops what is cached to make room, and never what is counted', () => {
    expect(file.services.redis?.command).toContain('noeviction');
    expect(file.services['redis-cache']?.command).toContain('allkeys-lru');
  });

  it('names every secret that a container asks for', () => {
    const asked = containers.flatMap(([, { secrets = [] }]) =>
      secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)),
    );
    expect(Object.keys(file.secrets).toSorted()).toEqual([...new Set(asked)].toSorted());
  });

  it('passes the linter but for its order, which tells what is begun before what', () => {
    const here = path.join(workspaceRoot, 'infra/deploy/docker');
    const linter = path.join(here, 'node_modules/dclint/bin/dclint.cjs');
    const words = ['--config', path.join(here, 'dclint.json'), '--max-warnings', '0', 'docker-compose.yml'];
    const { status, stdout } = spawnSync(process.execPath, [linter, ...words], {
      cwd: workspaceRoot,
      encoding: 'utf8',
    });
    expect([status, stdout.trim()]).toEqual([0, '']);
  });
});
