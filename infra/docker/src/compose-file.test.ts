import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';
import { composeFile } from './compose-file.ts';

type Container = {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
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

const base = readFileSync(path.join(workspaceRoot, 'infra/docker/compose.yml'), 'utf8');
const file = parse(composeFile(base, [...serviceNames, 'not-yet-written']), {
  merge: true,
  maxAliasCount: -1,
}) as File;
const containers = Object.entries(file.services);

describe('docker-compose.yml', () => {
  it.each([...serviceNames, 'not-yet-written'])(
    'starts %s from its sources, with its own secrets, after its database, its streams and both Redis',
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
        redis: { condition: 'service_healthy' },
        'redis-cache': { condition: 'service_healthy' },
      });
    },
  );

  it('lets no container write to its image or keep a capability', () => {
    const loose = containers.filter(([, one]) => !one.read_only || one.cap_drop?.[0] !== 'ALL');
    expect(loose.map(([name]) => name)).toEqual([]);
  });

  it('publishes the gateway and the pages for people, on loopback unless somebody says otherwise', () => {
    const published = containers.filter(([, { ports }]) => ports).map(([name]) => name);
    expect(published.toSorted()).toEqual([
      'gateway',
      'grafana',
      'mail-catcher',
      'payment-simulator',
      'platform-simulator',
      'prometheus',
      'webhook-dispatcher',
    ]);
    for (const [, { ports = [] }] of containers)
      for (const port of ports) expect(port).toContain('127.0.0.1');
  });

  it('gives the servers no way out, and nobody but the services a way in', () => {
    const inside = containers.filter(([, { networks }]) => networks?.includes('servers'));
    const servers = ['postgres', 'nats', 'nats-2', 'nats-3', 'redis', 'redis-cache'];
    const others = [...servers, 'databases', 'streams', 'not-yet-written'];
    expect(inside.map(([name]) => name).toSorted()).toEqual([...others, ...serviceNames].toSorted());
    expect(file.networks.servers?.internal).toBe(true);
  });

  it('starts further brokers and what operators look at only where they ask for it, of files that are there', () => {
    const optional = containers.filter(([, { profiles }]) => profiles);
    expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['nats-2', ['brokers']],
      ['nats-3', ['brokers']],
      ['prometheus', ['observability']],
      ['grafana', ['observability']],
      ['otel-collector', ['traces']],
    ]);
    const mounted = optional.flatMap(([, { volumes = [] }]) => volumes.filter((one) => one.startsWith('./')));
    expect(mounted).toHaveLength(4);
    for (const one of mounted)
      expect(existsSync(path.join(workspaceRoot, String(one.split(':')[0])))).toBe(true);
  });

  it('has Prometheus ask the services where they answer, as its configuration looks for them', () => {
    const { secrets = [] } = file.services.prometheus ?? {};
    expect(secrets).toEqual([{ source: 'targets', target: '/etc/prometheus/targets/compose.json' }]);
    expect(file.services.search?.environment).toMatchObject({ HEALTH_HOST: '0.0.0.0', HEALTH_PORT: '9090' });
    expect(file.services.search?.networks).toEqual(
      expect.arrayContaining([...(file.services.prometheus?.networks ?? ['none'])]),
    );
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
    const here = path.join(workspaceRoot, 'infra/docker');
    const linter = path.join(here, 'node_modules/dclint/bin/dclint.cjs');
    const words = ['--config', path.join(here, 'dclint.json'), '--max-warnings', '0', 'docker-compose.yml'];
    const { status, stdout } = spawnSync(process.execPath, [linter, ...words], {
      cwd: workspaceRoot,
      encoding: 'utf8',
    });
    expect([status, stdout.trim()]).toEqual([0, '']);
  });
});
