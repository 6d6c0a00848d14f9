import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { loadSurfaces, serviceNames } from '@tds/provisioning';
import { type BrokerCount, installationFiles } from './installation.ts';

const surfaces = await loadSurfaces();
const kept = new Map<string, string>();
const secretOf = (name: string, make = () => `secret of ${name}, long enough`): string =>
  kept.get(name) ?? kept.set(name, make()).get(name) ?? '';
const filesOf = (settings: NodeJS.ProcessEnv = {}, brokers?: BrokerCount) =>
  installationFiles(surfaces, secretOf, settings, brokers);
const told = (service: string, settings: NodeJS.ProcessEnv = {}) =>
  parseEnv(filesOf(settings)[`${service}.env`] ?? '');

describe('the files of an installation', () => {
  it('are one for each service, so that a new one is started without a change here', () => {
    expect(Object.keys(filesOf())).toEqual(expect.arrayContaining(serviceNames.map((name) => `${name}.env`)));
  });

  it('tell a service its own secrets only', () => {
    const files = filesOf();
    const passwords = (JSON.parse(files['databases.json'] ?? '') as { passwords: Record<string, string> })
      .passwords;
    const { billing_app, credits_ledger_app, credits_ledger_owner } = passwords;
    const billing = decodeURIComponent(files['billing.env'] ?? '');
    expect(billing).toContain(billing_app);
    for (const other of [credits_ledger_app, credits_ledger_owner, kept.get('postgres')])
      expect(billing).not.toContain(other);
  });

  it('give the database job every password that a service is told', () => {
    const { passwords } = JSON.parse(filesOf()['databases.json'] ?? '') as { passwords: object };
    for (const service of serviceNames)
      for (const name of ['DATABASE_URL', 'OBJECTS_DATABASE_URL']) {
        const url = told(service)[name];
        if (url) expect(passwords).toHaveProperty(new URL(url).username);
      }
  });

  it("put the real thing in a simulator's place where the settings say so, whatever quotes stand in them", () => {
    const settings = {
      SMTP_URL: `smtps://o'brien:pass"word#1@mail.example.com`,
      PLATFORM_ORIGIN: 'https://v.example',
    };
    expect(told('identity', settings).SMTP_URL).toBe(settings.SMTP_URL);
    expect(told('transcript-fetcher', settings).PLATFORM_ORIGIN).toBe('https://v.example');
    expect(() => filesOf({ SMTP_URL: `'"\`` })).toThrow('SMTP_URL');
  });

  it('tell Prometheus of every service, where its container answers', () => {
    const targets = JSON.parse(filesOf()['targets.json'] ?? '');
    const expected = serviceNames.map((service) => ({ targets: [`${service}:9090`], labels: { service } }));
    expect(targets).toEqual(expected);
  });

  it('have the broker answer when what it was given is on the disk', () => {
    expect(filesOf()['nats.conf']).toMatch(/sync_interval: always/);
  });

  it('have three brokers keep each event three times, and take nobody for a broker who does not know their secret', () => {
    const files = filesOf({}, 3);
    for (const name of ['identity.env', 'streams.env'])
      expect(parseEnv(files[name] ?? '')).toMatchObject({
        NATS_URL: 'nats:4222,nats-2:4222,nats-3:4222',
        EVENTS_REPLICAS: '3',
      });
    const password = kept.get('nats-routes');
    expect(files['nats.conf']).toContain(`authorization { user: "routes", password: "${password}" }`);
    expect(files['nats.conf']).toContain(`"nats-route://routes:${password}@nats-3:6222"`);
    expect(filesOf()['nats.conf']).not.toContain('cluster');
  });
});
