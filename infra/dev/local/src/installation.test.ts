import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { defaultStreamLimits, listStreams, MAX_STREAMS } from '@tds/messaging/internals';
import { loadSurfaces, serviceNames, storedServiceNames } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { type BrokerCount, installationFiles } from './installation.ts';
import { findTrialContainers, readStoreBytes, refuseTrial } from './settings.ts';

const surfaces = await loadSurfaces();
const kept = new Map<string, string>();
const secretOf = (name: string, make = () => `secret of ${name} which is long enough`): string =>
  kept.get(name) ?? kept.set(name, make()).get(name) ?? '';
const filesOf = (settings: NodeJS.ProcessEnv = {}, brokers?: BrokerCount) =>
  installationFiles(surfaces, secretOf, settings, brokers);
const environmentOf = async (service: string, settings: NodeJS.ProcessEnv = {}) =>
  parseEnv((await filesOf(settings))[`${service}.env`] ?? '');

/** The settings for production that the page has its readers write. */
const page = readFileSync(path.join(workspaceRoot, 'docs/operations.md'), 'utf8');
const example = parseEnv(/production\.env <<'END'\n([\s\S]*?)\nEND\n/.exec(page)?.[1] ?? '');
const own = Object.fromEntries(
  Object.entries(example).map(([name, value = '']) => [
    name,
    value.replace('example.com', 'own.co').replace('192.0.2.10', '10.0.0.1').replace('...', 'x'.repeat(16)),
  ]),
);

describe('an installation for production', () => {
  it('is made of the page with values of its own', async () => {
    expect(await environmentOf('identity', own)).toMatchObject({ MAIL_FROM: own.MAIL_FROM });
  });

  it('is not made with the default of a trial', async () => {
    await expect(filesOf({ ...own, MAIL_FROM: '' })).rejects.toThrow('MAIL_FROM is missing');
  });

  it.each(['PUBLIC_URL', 'SUPPORT_EMAIL', 'MAIL_FROM', 'SMTP_URL', 'TRUSTED_PROXIES'])(
    'is not made of the example of the page: %s',
    (name) => {
      expect(() => refuseTrial({ ...own, [name]: example[name] })).toThrow(name);
    },
  );

  it.each(['SMTP_URL', 'PLATFORM_ORIGIN', 'STRIPE_API_ORIGIN', 'STRIPE_SECRET_KEY'])(
    'is not made with a simulator: %s',
    (name) => {
      expect(() => refuseTrial({ ...own, [name]: '' })).toThrow(name);
    },
  );
});

it('streams have at most as many replicas as there are brokers', () => {
  expect(() => readStoreBytes({ EVENTS_REPLICAS: '3' }, 1)).toThrow('EVENTS_REPLICAS: expected at most 1');
  expect(readStoreBytes({ EVENTS_REPLICAS: '3' }, 3)).toBe(defaultStreamLimits.storeBytes);
});

it.each([
  ['trial', 'COMPOSE_PROFILES'],
  ['brokers,trial', 'COMPOSE_PROFILES'],
  ['brokers,observability', 'ALERTMANAGER_CONFIG'],
  ['brokers', undefined],
  ['', undefined],
])(
  'production with the profiles "%s" and the mailbox of a trial for alerts is wrong in %s',
  (profiles, name) => {
    const alerts = readFileSync(
      path.join(workspaceRoot, 'infra/deploy/observability/alertmanager.yml'),
      'utf8',
    );
    const found = findTrialContainers({ COMPOSE_PROFILES: profiles }, alerts);
    expect(found?.split(':')[0]).toBe(name);
    expect(
      findTrialContainers({ COMPOSE_PROFILES: 'observability' }, 'smarthost: mail.own.co:587'),
    ).toBeUndefined();
  },
);

describe('the files of an installation', () => {
  it('are one for each service, so that a new one is started without a change here', async () => {
    expect(Object.keys(await filesOf())).toEqual(
      expect.arrayContaining(serviceNames.map((name) => `${name}.env`)),
    );
  });

  it('tell a service its own secrets only', async () => {
    const files = await filesOf();
    const passwords = (JSON.parse(files['databases.json'] ?? '') as { passwords: Record<string, string> })
      .passwords;
    const { billing_app, credits_ledger_app, credits_ledger_owner } = passwords;
    const billing = decodeURIComponent(files['billing.env'] ?? '');
    expect(billing).toContain(billing_app);
    for (const other of [credits_ledger_app, credits_ledger_owner, kept.get('postgres')])
      expect(billing).not.toContain(other);
  });

  it('give the database job every password that a service has', async () => {
    const { passwords } = JSON.parse((await filesOf())['databases.json'] ?? '') as { passwords: object };
    for (const service of serviceNames)
      for (const name of ['DATABASE_URL', 'OBJECTS_DATABASE_URL']) {
        const url = (await environmentOf(service))[name];
        if (url) expect(passwords).toHaveProperty(new URL(url).username);
      }
  });

  it('replace a simulator by the real server if the settings say so, with any quotes in them', async () => {
    const settings = {
      SMTP_URL: `smtps://o'brien:pass"word@mail.example.com`,
      PLATFORM_ORIGIN: 'https://v.example',
    };
    expect((await environmentOf('identity', settings)).SMTP_URL).toBe(settings.SMTP_URL);
    expect((await environmentOf('transcript-fetcher', settings)).PLATFORM_ORIGIN).toBe('https://v.example');
    await expect(filesOf({ MAIL_FROM: `'"\`@example.com` })).rejects.toThrow('MAIL_FROM has quotes');
  });

  it("give Prometheus the address of every service's container", async () => {
    const targets = JSON.parse((await filesOf())['targets.json'] ?? '');
    const expected = serviceNames.map((service) => ({ targets: [`${service}:9090`], labels: { service } }));
    expect(targets).toEqual(expected);
  });

  it('have the broker answer when what it was given is on the disk', async () => {
    expect((await filesOf())['nats.conf']).toMatch(/sync_interval: always/);
  });

  it('have a broker that holds the streams of all services, of the size that the settings say', async () => {
    expect(surfaces.flatMap((surface) => listStreams(surface, defaultStreamLimits)).length).toBeLessThan(
      MAX_STREAMS,
    );
    const files = await filesOf({ EVENTS_MAX_BYTES: '2000000000', EVENTS_STORE_BYTES: '20000000000' });
    expect(files['nats.conf']).toContain('max_file_store: 20000000000,');
    expect(parseEnv(files['streams.env'] ?? '')).toMatchObject({ EVENTS_MAX_BYTES: '2000000000' });
  });

  it('have three brokers keep each event three times, and accept no broker that does not know their secret', async () => {
    const files = await filesOf({}, 3);
    for (const name of ['identity.env', 'streams.env'])
      expect(parseEnv(files[name] ?? '')).toMatchObject({
        NATS_URL: 'nats:4222,nats-2:4222,nats-3:4222',
        EVENTS_REPLICAS: '3',
      });
    const password = kept.get('nats-routes');
    expect(files['nats.conf']).toContain(`authorization { user: "routes", password: "${password}" }`);
    expect(files['nats.conf']).toContain(`"nats-route://routes:${password}@nats-3:6222"`);
    expect((await filesOf())['nats.conf']).not.toContain('cluster');
  });

  it('give each database a Postgres of its own, whose password no other has', async () => {
    const files = await installationFiles(surfaces, secretOf, {}, 3, 'each');
    const { adminUrl, elsewhere } = JSON.parse(files['databases.json'] ?? '') as {
      adminUrl: string;
      elsewhere: Record<string, string>;
    };
    const hostOf = (url: string | undefined) => new URL(String(url)).hostname;
    const administered = [...storedServiceNames, 'objects'].map((name) => elsewhere[name] ?? adminUrl);
    expect(new Set(administered).size).toBe(storedServiceNames.length + 1);
    expect(elsewhere.identity).toContain(encodeURIComponent(String(files['postgres-identity-password'])));
    expect(files['postgres-password']).not.toBe(files['postgres-identity-password']);
    for (const service of storedServiceNames) {
      const { DATABASE_URL } = parseEnv(files[`${service}.env`] ?? '');
      expect(hostOf(DATABASE_URL)).toBe(service === 'credits-ledger' ? 'postgres' : `postgres-${service}`);
    }
    expect(hostOf(parseEnv(files['gateway.env'] ?? '').OBJECTS_DATABASE_URL)).toBe('postgres-objects');
  });

  it('hold each secret of the settings only for the container that reads it', async () => {
    const secrets = {
      SMTP_URL: 'smtps://user:mark-of-mail@mail.example.com',
      STRIPE_SECRET_KEY: 'sk_live_mark_of_payments',
      STRIPE_WEBHOOK_SECRETS: 'whsec_mark_of_payments',
      PLATFORM_DATA_API_KEY: 'mark-of-data-api',
      PLATFORM_PROXY_URLS: 'http://user:mark-of-proxy@proxy.example.com',
      'archiver.OBJECTS_S3_SECRET_ACCESS_KEY': 'mark-of-archives',
      OBJECTS_S3_SECRET_ACCESS_KEY: 'mark-of-bucket',
    };
    const files = await filesOf(secrets);
    const holdersOf = (mark: string) =>
      Object.keys(files)
        .filter((name) => files[name]?.includes(mark))
        .toSorted();
    expect(holdersOf('mark-of-mail')).toEqual(['identity.env']);
    expect(holdersOf('mark_of_payments')).toEqual(['billing.env']);
    expect(holdersOf('mark-of-data-api')).toEqual(['search.env']);
    expect(holdersOf('mark-of-archives')).toEqual(['archiver.env']);
    expect(holdersOf('mark-of-bucket')).toEqual(['gateway.env', 'transcript-fetcher.env']);
    expect(holdersOf('mark-of-proxy')).toEqual([
      'monitor-scheduler.env',
      'search.env',
      'transcript-fetcher.env',
    ]);
    const names = Object.keys(parseEnv(files['streams.env'] ?? ''));
    expect(names.toSorted()).toEqual(['EVENTS_REPLICAS', 'NATS_NKEY_SEED', 'NATS_URL']);
  });

  it.each([
    [{ STRIPE_SECRET: 'x' }, 'STRIPE_SECRET: no service reads it. Did you mean STRIPE_SECRET_KEY?'],
    [{ Q7: 'x' }, 'Q7: no service reads it.'],
    [{ 'archiver.SMTP_URL': 'smtp://mail' }, 'archiver.SMTP_URL: archiver does not read it.'],
    [{ 'archivr.LOG_LEVEL': 'info' }, 'there is no service archivr. Did you mean archiver?'],
    [{ PEPPER: 'x'.repeat(40) }, 'PEPPER: the installation makes it, and no setting changes it.'],
    [{ STRIPE_SECRET_KEY: 'sk_live_...' }, 'STRIPE_SECRET_KEY'],
    [{ EVENTS_MAX_BYTES: '2147483648' }, 'EVENTS_MAX_BYTES: expected EVENTS_MAX_BYTES of at most 1073741824'],
  ])('are not made of the settings %j, which no service could use', async (settings, sentence) => {
    await expect(filesOf(settings)).rejects.toThrow(sentence);
  });
});
