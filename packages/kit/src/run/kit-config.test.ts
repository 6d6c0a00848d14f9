import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@tds/base/internals';
import { defineContract, defineSurface, POOL_WAIT_MS, REDIS_MS, type Surface } from '@tds/contracts';
import { z } from 'zod';
import { listKitFields, loadKitConfig } from './kit-config.ts';

const least = { REDIS_URL: 'redis://gateway:hunter2@redis', NATS_URL: 'nats://broker' };
const load = (given: NodeJS.ProcessEnv = {}) => loadKitConfig('gateway', { ...least, ...given });

describe('what the kit reads of a service`s environment', () => {
  it('has a default for all but the servers, as the README says', () => {
    expect(load()).toMatchObject({
      ...{ DATABASE_CONNECTIONS: 10, DATABASE_WAIT: POOL_WAIT_MS, REDIS_TIMEOUT: REDIS_MS },
      ...{ HEALTH_PORT: 0, LOG_LEVEL: 'info', MAX_COMMANDS_IN_FLIGHT: 512, STOP_WITHIN: 10_000 },
      ...{ EVENTS_MAX_BYTES: 536_870_912, EVENTS_MAX_MESSAGES: -1, EVENTS_MAX_AGE: 7 * 86_400_000 },
      ...{ EVENTS_REPLICAS: 1, EVENTS_WHEN_FULL: 'wait' },
    });
  });

  it('is refused with all problems at once', () => {
    const wrong = { DATABASE_WAIT: 'long' };
    expect(() => loadKitConfig('gateway', wrong)).toThrow(ConfigError);
    expect(() => loadKitConfig('gateway', wrong)).toThrow(/DATABASE_WAIT: [\s\S]+- NATS_URL is missing/);
  });

  it('is the address of a server only if the surface needs something of that server', () => {
    const value = z.object({});
    const event = { payload: value };
    const owner = defineContract('credits-ledger', {
      events: { balanceChanged: event },
      projections: { balance: { value, keyParts: ['account'], ttlSeconds: 60 } },
    });
    const addresses = (surface: Surface) =>
      Object.keys(listKitFields(surface)).filter((name) =>
        /^(DATABASE|REDIS(_CACHE)?|OBJECTS_DATABASE)_URL$/.test(name),
      );
    expect(addresses(defineSurface(owner))).toEqual(['DATABASE_URL', 'REDIS_URL']);
    expect(
      addresses(defineSurface(defineContract('status', {}), { subscriptions: [owner.balanceChanged] })),
    ).toEqual(['DATABASE_URL']);
    expect(addresses(defineSurface(defineContract('gateway', {}), { reads: [owner.balance] }))).toEqual([
      'REDIS_URL',
    ]);
    expect(addresses(defineSurface(defineContract('search', {})))).toEqual([]);
  });

  it('shows no credential to who prints it', () => {
    const shown = inspect(load({ DATABASE_URL: 'postgres://u:hunter2@db/x', NATS_NKEY_SEED: 'SUhunter2' }));
    expect(shown).not.toContain('hunter2');
  });

  it.each([
    ['DATABASE_URL', 'mysql://u@db/x'],
    ['DATABASE_CONNECTIONS', '1'],
    ['REDIS_CACHE_URL', 'http://redis'],
    ['REDIS_TIMEOUT', 'soon'],
    ['HEALTH_PORT', '65536'],
    ['LOG_LEVEL', 'debug'],
    ['MAX_COMMANDS_IN_FLIGHT', '0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['INSTANCE_ID', 'x'.repeat(65)],
  ])('is refused by the variable`s name: %s=%s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(new RegExp(`- ${name}`));
  });
});
