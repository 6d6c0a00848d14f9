import { expect, it } from 'vitest';
import { environments, type ServerAddresses } from './environments.ts';

const servers: ServerAddresses = {
  databases: {},
  objects: { urlOf: (user) => (user === 'gateway' ? 'objects of gateway' : undefined) },
  secretOf: () => 'secret',
  nats: { servers: 'nats', seedOf: (user) => `seed of ${user}` },
  redis: { urlOf: (user) => `redis of ${user}` },
  redisCache: { urlOf: (user) => `cache of ${user}` },
};
const outside = { port: 8080, platformOrigin: 'http://platform', smtpUrl: 'smtp://mail' };

it('sign-ups are free on one`s own machine, unless its owner`s shell says otherwise', () => {
  const identityOf = (shell: NodeJS.ProcessEnv) => environments(servers, outside, shell).identity;
  expect(identityOf({})).toMatchObject({ SIGNUP_PER_NETWORK_PER_HOUR: '10000', MAIL_DNS: 'off' });
  expect(
    identityOf({ SIGNUP_PER_NETWORK_PER_HOUR: '7', LOG_LEVEL: 'info', SMTP_URL: 'smtp://other' }),
  ).toMatchObject({ SIGNUP_PER_NETWORK_PER_HOUR: '7', LOG_LEVEL: 'info', SMTP_URL: 'smtp://mail' });
});

it('each service gets the seed of its own user at the broker', () => {
  const { gateway, identity } = environments(servers, outside);
  expect([gateway?.NATS_NKEY_SEED, identity?.NATS_NKEY_SEED]).toEqual([
    'seed of gateway',
    'seed of identity',
  ]);
});

it('each service comes to both Redis servers as its own user', () => {
  const { gateway, identity } = environments(servers, outside);
  expect([gateway?.REDIS_URL, gateway?.REDIS_CACHE_URL]).toEqual(['redis of gateway', 'cache of gateway']);
  expect(identity?.REDIS_URL).toBe('redis of identity');
});

it('a service without objects gets no address of them, whatever the shell says', () => {
  const { gateway, identity } = environments(servers, outside, { OBJECTS_DATABASE_URL: 'of the shell' });
  expect([gateway?.OBJECTS_DATABASE_URL, identity?.OBJECTS_DATABASE_URL]).toEqual([
    'objects of gateway',
    undefined,
  ]);
});

it('gateway and identity share a key ring, which no other service gets', () => {
  const given = environments(servers, outside, {});
  const holders = Object.keys(given).filter((name) => given[name]?.KEY_RING !== undefined);
  expect(holders.toSorted()).toEqual(['gateway', 'identity']);
  expect(given.gateway?.KEY_RING).toBe(given.identity?.KEY_RING);
});
