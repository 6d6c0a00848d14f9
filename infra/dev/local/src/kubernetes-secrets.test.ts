import { describe, expect, it } from '@jest/globals';
import { overlays } from '@tds/k8s';
import { loadSurfaces, serviceNames, storedServiceNames } from '@tds/provisioning';
import { kubernetesSecrets, secretList } from './kubernetes-secrets.ts';
import { environmentOf, podOf } from './test-support/rendered-pod.ts';

const surfaces = await loadSurfaces();
const kept = new Map<string, string>();
const secretOf = (name: string, make = () => `secret of ${name} which is long enough`): string =>
  kept.get(name) ?? kept.set(name, make()).get(name) ?? '';
const given = {
  PUBLIC_URL: 'https://transcripts.co',
  SUPPORT_EMAIL: 'support@transcripts.co',
  MAIL_FROM: 'no-reply@transcripts.co',
  SMTP_URL: 'smtps://user:mark-of-mail@mail.transcripts.co',
  STRIPE_SECRET_KEY: 'sk_live_mark_of_payments',
  STRIPE_WEBHOOK_SECRETS: 'whsec_mark_of_payments',
};
const secretsOf = (overlay: (typeof overlays)[number], more: NodeJS.ProcessEnv = {}) =>
  kubernetesSecrets(surfaces, secretOf, overlay, { ...given, ...more });

describe.each(overlays)('the Secrets of %s', (overlay) => {
  it('have every key that a pod of a service requires', async () => {
    const secrets = await secretsOf(overlay);
    for (const name of serviceNames) {
      const { containers, initContainers = [] } = podOf(name);
      for (const container of [...containers, ...initContainers])
        expect(() => environmentOf(container, secrets)).not.toThrow();
    }
  });

  it('hold a password only for the pods that use it', async () => {
    const secrets = await secretsOf(overlay);
    const holdersOf = (mark: string) =>
      Object.keys(secrets).filter((name) =>
        JSON.stringify(secrets[name]).replaceAll('%20', ' ').includes(mark),
      );
    expect(holdersOf('mark-of-mail')).toEqual(['identity']);
    expect(holdersOf('mark_of_payments')).toEqual(['billing', 'books']);
    expect(holdersOf(secretOf('credits_ledger_app'))).toEqual(['credits-ledger', 'databases']);
  });
});

describe('an installation of several servers', () => {
  it('gives each database the address of its server, to the service and to the job alike', async () => {
    const secrets = await secretsOf('ha');
    const { adminUrl, elsewhere } = JSON.parse(secrets.databases?.databases ?? '') as {
      adminUrl: string;
      elsewhere: Record<string, string>;
    };
    for (const name of storedServiceNames) {
      const { host } = new URL(String(secrets[name]?.DATABASE_URL));
      expect(new URL(elsewhere[name] ?? adminUrl).host).toBe(host);
    }
    expect(new URL(String(secrets.billing?.DATABASE_URL)).host).toBe('postgres-money-rw:5432');
    expect(new URL(String(secrets.gateway?.OBJECTS_DATABASE_URL)).host).toBe('postgres-work-rw:5432');
    expect(secrets['postgres-work-superuser']).toMatchObject({ username: 'postgres' });
    expect(secrets.nats?.['nats.conf']).toContain('@nats-2.nats:6222');
  });

  it.each([
    [{ SMTP_URL: '' }, 'production needs values of your own: SMTP_URL'],
    [{ STRIPE_SECRET: 'x' }, 'STRIPE_SECRET: no service reads it. Did you mean STRIPE_SECRET_KEY?'],
    [{ PUBLIC_URL: 'nowhere' }, 'PUBLIC_URL'],
    [{ MAIL_FROM: '' }, 'MAIL_FROM is missing'],
  ])('is not made of the settings %j', async (settings, sentence) => {
    await expect(secretsOf('ha', settings)).rejects.toThrow(sentence);
  });
});

it('a list for kubectl has a Secret of its type in the namespace for each', async () => {
  const { items } = secretList(await secretsOf('ha'), 'elsewhere');
  expect(items.map(({ metadata }) => metadata.namespace)).toEqual(items.map(() => 'elsewhere'));
  expect(items.filter(({ type }) => type === 'kubernetes.io/basic-auth')).toHaveLength(3);
});
