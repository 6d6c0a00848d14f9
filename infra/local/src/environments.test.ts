import { expect, it } from '@jest/globals';
import { environments, type ServerAddresses } from './environments.ts';

const servers: ServerAddresses = {
  databases: {},
  objects: { urlOf: (user) => (user === 'gateway' ? 'objects of gateway' : undefined) },
  secretOf: () => 'secret',
  nats: { servers: 'nats', seedOf: (user) => `seed of ${user}` },
  redis: { urlOf: (user) => `redis of ${user}` },
  redisCache: { urlOf: (user) => `cache of ${user}` },
};
const outside = {
  port: 8080,
  platformOrigin: 'http://platform',
  smtpUrl: 'smtp://mail',
  paymentOrigin: 'http://payment',
};

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

it('the payment processor`s secrets are given to billing and to nobody else', () => {
  const given = environments(servers, outside, { STRIPE_SECRET_KEY: 'sk_test_of_the_shell' });
  const holders = Object.keys(given).filter((name) =>
    Object.keys(given[name] ?? {}).some((variable) => variable.startsWith('STRIPE_')),
  );
  expect(holders).toEqual(['billing']);
  expect(given.billing?.STRIPE_SECRET_KEY).toBe('sk_test_of_the_shell');
});

it('gateway and webhook-dispatcher share another one, which no other service gets', () => {
  const given = environments(servers, outside, {});
  const holders = Object.keys(given).filter((name) => given[name]?.WEBHOOK_KEY_RING !== undefined);
  expect(holders.toSorted()).toEqual(['gateway', 'webhook-dispatcher']);
  expect(given.gateway?.WEBHOOK_KEY_RING).toBe(given['webhook-dispatcher']?.WEBHOOK_KEY_RING);
});

it('webhooks may go to this machine in a local run, unless that is production or the shell says no', () => {
  const taken = (shell: NodeJS.ProcessEnv) =>
    environments(servers, outside, shell)['webhook-dispatcher']?.WEBHOOK_LOCAL_RECEIVERS;
  const shells = [{}, { NODE_ENV: 'production' }, { WEBHOOK_LOCAL_RECEIVERS: 'no' }];
  expect(shells.map(taken)).toEqual(['1', '0', 'no']);
});
