import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually, proven } from '@tds/test-kit';
import { alerts } from './alerts.ts';
import { startObservers } from './start-observers.ts';

let dir: string;
let service: Server;
let observers: Awaited<ReturnType<typeof startObservers>> | undefined;
const pathBefore = process.env.PATH;
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'tds-observe-'));
  const metrics = 'tds_outbox_lag_seconds{service="search"} 3\n';
  // Prometheus takes nothing without a type.
  service = createServer((_request, response) =>
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(metrics),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => service.once('listening', resolve));
});
afterEach(async () => {
  await observers?.stop();
  service.close();
  process.env.PATH = pathBefore;
  delete process.env.GRAFANA_HOME;
  rmSync(dir, { recursive: true, force: true });
});

const targets = (): string => {
  const file = path.join(dir, 'scrape-targets.json');
  const address = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  writeFileSync(file, JSON.stringify([{ targets: [address], labels: { service: 'search' } }]));
  return file;
};

const ask = async (url: string): Promise<unknown> => (await fetch(url)).json();

// Prometheus looks every 15 s, and at its rules as often; the rules themselves are tested in `rules.int.test.ts`.
proven(it.skip, it)('Prometheus scrapes whom the file names, and has every alert', async () => {
  observers = await startObservers({ dir: path.join(dir, 'observe'), targets: targets() });
  const { prometheus } = observers;
  await eventually(async () =>
    expect(await ask(`${prometheus}/api/v1/query?query=tds_outbox_lag_seconds`)).toMatchObject({
      data: { result: [{ metric: { service: 'search', job: 'tds' }, value: [expect.any(Number), '3'] }] },
    }),
  );
  const { data } = (await ask(`${prometheus}/api/v1/rules?type=alert`)) as {
    data: { groups: { rules: { name: string }[] }[] };
  };
  const names = data.groups.flatMap(({ rules }) => rules.map(({ name }) => name));
  expect(names.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});

/** Tells what it was started with. */
const grafana = `#!${process.execPath}
require('node:http').createServer((_, response) => response.end(JSON.stringify(process.env)))
  .listen(process.env.GF_SERVER_HTTP_PORT, process.env.GF_SERVER_HTTP_ADDR);
`;

it('Grafana is started if the system has it, with data source and dashboards, for this machine only', async () => {
  mkdirSync(path.join(dir, 'bin'));
  writeFileSync(path.join(dir, 'bin/grafana'), grafana);
  chmodSync(path.join(dir, 'bin/grafana'), 0o700);
  process.env.GRAFANA_HOME = dir;
  process.env.PATH = `${path.join(dir, 'bin')}:${pathBefore}`;
  observers = await startObservers({ dir: path.join(dir, 'observe'), targets: targets() });
  expect(await ask(`${observers.grafana}/`)).toMatchObject({
    GF_SERVER_HTTP_ADDR: '127.0.0.1',
    GF_PATHS_PROVISIONING: expect.stringMatching(/grafana\/provisioning$/),
    PROMETHEUS_URL: observers.prometheus,
    TDS_DASHBOARDS: expect.stringMatching(/grafana\/dashboards$/),
  });
});

it('works without Grafana if the system has none', async () => {
  process.env.GRAFANA_HOME = path.join(dir, 'nowhere');
  observers = await startObservers({ dir: path.join(dir, 'observe'), targets: targets() });
  expect(observers.grafana).toBeNull();
});
