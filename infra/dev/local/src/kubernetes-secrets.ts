import type { Surface } from '@tds/contracts';
import { type Overlay, placesOf, readOverlaySettings } from '@tds/k8s';
import { pick } from './environments.ts';
import { describeInstallation } from './installation.ts';

type SecretOf = Parameters<typeof describeInstallation>[1];
/** By the name of a Secret: its keys, which are names of variables or of files. */
type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The Secrets of an overlay, one for each pod. Throws if a setting is missing, is read by no service, or would be rejected by
 * one; the settings of the installation's own overlay are among `overrides`, so that both are checked together.
 */
export const kubernetesSecrets = async (
  surfaces: readonly Surface[],
  secretOf: SecretOf,
  overlay: Overlay,
  overrides: NodeJS.ProcessEnv,
): Promise<Secrets> => {
  const places = placesOf(overlay);
  // The installation makes the addresses of brokers itself.
  const { NATS_URL: _, ...settings } = { ...readOverlaySettings(overlay), ...overrides };
  const installation = await describeInstallation(surfaces, secretOf, settings, places);
  const { environmentOf, configs, administrators } = installation;
  const serviceSecrets = Object.entries(configs).map(([name, { secrets }]) => [
    name,
    pick(
      environmentOf[name] ?? {},
      secrets.map((secret) => secret.name),
    ),
  ]);
  const superusers = Object.entries(administrators.passwords).map(([name, password]) =>
    overlay === 'ha'
      ? [`${name}-superuser`, { username: 'postgres', password }]
      : [name, { 'postgres-password': password }],
  );
  return {
    ...Object.fromEntries([...serviceSecrets, ...superusers]),
    streams: pick(installation.streams, ['NATS_NKEY_SEED']),
    databases: { databases: installation.databases },
    books: {
      databases: JSON.stringify(administrators.places),
      ...pick(environmentOf.billing ?? {}, ['STRIPE_SECRET_KEY']),
    },
    nats: { 'nats.conf': installation.natsConfiguration },
    redis: { users: installation.redisUsers },
    'redis-cache': { users: installation.redisCacheUsers },
    ...(overlay === 'dev'
      ? { 'payment-simulator': { PAYMENT_EVENTS_SECRET: installation.paymentEventsSecret } }
      : {}),
  };
};

/** For `kubectl apply`. */
export const secretList = (secrets: Secrets, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'transcript-delivery-service' } },
    type: 'username' in stringData ? 'kubernetes.io/basic-auth' : 'Opaque',
    stringData,
  })),
});
