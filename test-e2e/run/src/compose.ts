import { serviceNames } from '@tds/local';
import { findAddress, forwardWebhooks, startComposeProject } from '#support';
import type { Installed, StartOptions } from './installed.ts';

const HEALTH_PORT = 9090;

/** An installation by docker-compose.yml, of images that were built before; `rendered` runs its services as their manifests say. */
export const startOnCompose = async ({
  dir,
  rendered = false,
}: StartOptions & { readonly rendered?: boolean }): Promise<Installed> => {
  const project = await startComposeProject({ project: 'tds-e2e', dir, rendered });
  const { outside, places, secretsFile, findContainer: containerOf, networks } = project;
  const health = serviceNames.map(async (name) => {
    const address = await findAddress(await containerOf(name), networks.metrics);
    return [name, `http://${address}:${HEALTH_PORT}`] as const;
  });
  const dispatcher = await containerOf('webhook-dispatcher');
  const forwarder = await forwardWebhooks(dispatcher, { host: outside.name, port: outside.ports.receiver });
  return {
    installation: {
      ...{ outside, places, secretsFile },
      containers: { nats: await containerOf('nats'), redis: await containerOf('redis') },
      health: Object.fromEntries(await Promise.all(health)),
    },
    stop: async () => {
      forwarder.kill();
      await project.stop();
    },
  };
};
