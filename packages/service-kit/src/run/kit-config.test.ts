import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { POOL_WAIT_MS, REDIS_MS } from '@tds/contracts';
import { ConfigError } from '../config/config.ts';
import { loadKitConfig } from './kit-config.ts';

const least = { REDIS_URL: 'redis://gateway:hunter2@redis', NATS_URL: 'nats://broker' };
const load = (given: NodeJS.ProcessEnv = {}) => loadKitConfig('gateway', { ...least, ...given });

describe('what the kit reads of a service`s environment', () => {
  it('has a default for all but Redis and the broker, as the README says', () => {
    expect(load()).toMatchObject({
      ...{ DATABASE_CONNECTIONS: 10, DATABASE_WAIT: POOL_WAIT_MS, REDIS_TIMEOUT: REDIS_MS },
      ...{ HEALTH_PORT: 0, LOG_LEVEL: 'info', MAX_COMMANDS_IN_FLIGHT: 512, STOP_WITHIN: 10_000 },
      ...{ EVENTS_MAX_BYTES: 536_870_912, EVENTS_MAX_MESSAGES: -1, EVENTS_MAX_AGE: 7 * 86_400_000 },
      ...{ EVENTS_REPLICAS: 1, EVENTS_WHEN_FULL: 'wait' },
    });
  });

  it('is refused without them, both at once', () => {
    expect(() => loadKitConfig('gateway', {})).toThrow(ConfigError);
    expect(() => loadKitConfig('gateway', {})).toThrow(/REDIS_URL is missing\s+- NATS_URL is missing/);
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
