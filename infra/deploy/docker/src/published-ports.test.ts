import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { freePort } from '@tds/servers';
import { publishedPorts, takenPorts } from './published-ports.ts';

const variablesOf = (env: NodeJS.ProcessEnv) => publishedPorts(env).map(({ variable }) => variable);

it('knows every port that an installation publishes, and those of a trial and of the observers only if they are started', () => {
  const always = ['PORT', 'WEBHOOKS_PORT'];
  expect(variablesOf({}).toSorted()).toEqual(always.toSorted());
  const trial = ['PLATFORM_PORT', 'PAYMENTS_PORT', 'MAIL_PORT'];
  const observers = ['PROMETHEUS_PORT', 'ALERTMANAGER_PORT', 'GRAFANA_PORT'];
  const all = variablesOf({ COMPOSE_PROFILES: 'brokers,observability,trial' });
  expect(all.toSorted()).toEqual([...always, ...trial, ...observers].toSorted());
});

it('names the variable of a port that another program has', async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  expect(await takenPorts({ PORT: String(port) })).toContainEqual({ variable: 'PORT', port });
  await new Promise((resolve) => other.close(resolve));
  expect(await takenPorts({ PORT: String(port) })).not.toContainEqual({ variable: 'PORT', port });
});
