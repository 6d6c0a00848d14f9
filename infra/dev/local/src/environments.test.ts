import { expect, it } from '@jest/globals';
import { loadConfigs, serviceNames } from '@tds/provisioning';
import { environments, type ServerAddresses, startSettings } from './environments.ts';

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

it('sign-ups are free on one`s own machine, unless its owner`s shell says otherwise', async () => {
  const identityOf = async (shell: NodeJS.ProcessEnv) => (await environments(servers, outside, shell)).identity;
  expect(await identityOf({})).toMatchObject({ SIGNUP_PER_NETWORK_PER_HOUR: '10000', MAIL_DNS: 'off' });
  expect(await identityOf({ SIGNUP_PER_NETWORK_PER_HOUR: '7', LOG_LEVEL: 'info', SMTP_URL: '' })).toMatchObject(
    { SIGNUP_PER_NETWORK_PER_HOUR: '7', LOG_LEVEL: 'info', SMTP_URL: 'smtp://mail' },
  );
});

it('only `npm start` lifts the limit of new accounts, and its owner`s shell sets it back', async () => {
  const limitOf = async (settings: NodeJS.ProcessEnv) =>
    (await environments(servers, outside, settings))['transcript-fetcher']?.NEW_ACCOUNT_FETCHES_PER_DAY;
  expect(await limitOf({})).toBeUndefined();
  expect(await limitOf(startSettings({}))).toBe('20000');
  expect(await limitOf(startSettings({ NEW_ACCOUNT_FETCHES_PER_DAY: '25' }))).toBe('25');
});

it('each service gets the seed of its own user at the broker', async () => {
  const { gateway, identity } = await environments(servers, outside);
  expect([gateway?.NATS_NKEY_SEED, identity?.NATS_NKEY_SEED]).toEqual(['seed of gateway', 'seed of identity']);
});

it('a service that uses a Redis server comes to it as its own user, and others get no address of it', async () => {
  const given = await environments(servers, outside);
  const addressesOf = (name: string) => [given[name]?.REDIS_URL, given[name]?.REDIS_CACHE_URL];
  expect(addressesOf('gateway')).toEqual(['redis of gateway', 'cache of gateway']);
  expect(addressesOf('identity')).toEqual(['redis of identity', undefined]);
  expect(addressesOf('transcript-fetcher')).toEqual([undefined, 'cache of transcript-fetcher']);
  expect(addressesOf('webhook-dispatcher')).toEqual([undefined, undefined]);
});

it('a service without objects gets no address of them, whatever the shell says', async () => {
  const { gateway, identity } = await environments(servers, outside, {
    OBJECTS_DATABASE_URL: 'of the shell',
  });
  expect([gateway?.OBJECTS_DATABASE_URL, identity?.OBJECTS_DATABASE_URL]).toEqual([
    'objects of gateway',
    undefined,
  ]);
});

it('gateway and identity share a key ring, which no other service gets', async () => {
  const given = await environments(servers, outside, {});
  const holders = Object.keys(given).filter((name) => given[name]?.KEY_RING !== undefined);
  expect(holders.toSorted()).toEqual(['gateway', 'identity']);
  expect(given.gateway?.KEY_RING).toBe(given.identity?.KEY_RING);
});

it('the payment processor`s secrets are given to billing only', async () => {
  const given = await environments(servers, outside, { STRIPE_SECRET_KEY: 'sk_test_of_the_shell' });
  const holders = Object.keys(given).filter((name) =>
    Object.keys(given[name] ?? {}).some((variable) => variable.startsWith('STRIPE_')),
  );
  expect(holders).toEqual(['billing']);
  expect(given.billing?.STRIPE_SECRET_KEY).toBe('sk_test_of_the_shell');
});

it('gateway and webhook-dispatcher share another one, which no other service gets', async () => {
  const given = await environments(servers, outside, {});
  const holders = Object.keys(given).filter((name) => given[name]?.WEBHOOK_KEY_RING !== undefined);
  expect(holders.toSorted()).toEqual(['gateway', 'webhook-dispatcher']);
  expect(given.gateway?.WEBHOOK_KEY_RING).toBe(given['webhook-dispatcher']?.WEBHOOK_KEY_RING);
});

it('webhooks may go to this machine in a local run, unless that is production or the shell says no', async () => {
  const taken = async (shell: NodeJS.ProcessEnv) =>
    (await environments(servers, outside, shell))['webhook-dispatcher']?.WEBHOOK_LOCAL_RECEIVERS;
  const shells = [{}, { NODE_ENV: 'production' }, { WEBHOOK_LOCAL_RECEIVERS: 'no' }];
  expect(await Promise.all(shells.map(taken))).toEqual(['1', '0', 'no']);
});

it('a setting reaches the services that declare it and no other, whatever else the shell holds', async () => {
  const configs = await loadConfigs();
  const known = [...new Set(Object.values(configs).flatMap(({ variables }) => variables))];
  const marked = Object.fromEntries(
    [...known, 'AWS_SECRET_ACCESS_KEY'].map((name) => [name, `mark of ${name}.`]),
  );
  const given = await environments(servers, outside, marked);
  for (const [service, environment] of Object.entries(given)) {
    const { variables = [] } = configs[service] ?? {};
    expect(Object.keys(environment).filter((name) => !variables.includes(name))).toEqual([]);
    for (const [name, value] of Object.entries(marked))
      if (!variables.includes(name)) expect(JSON.stringify(environment)).not.toContain(value);
  }
  const readersOf = (name: string) => serviceNames.filter((service) => given[service]?.[name] === marked[name]);
  expect(readersOf('SMTP_URL')).toEqual(['identity']);
  expect(readersOf('PLATFORM_DATA_API_KEY')).toEqual(['search']);
  expect(readersOf('STRIPE_SECRET_KEY')).toEqual(['billing']);
  expect(readersOf('OBJECTS_S3_SECRET_ACCESS_KEY')).toEqual(['archiver', 'transcript-fetcher', 'gateway']);
  expect(readersOf('LOG_LEVEL')).toEqual(serviceNames);
});

it('a setting of one service wins over that of all, and reaches no other', async () => {
  const shell = {
    OBJECTS_S3_ACCESS_KEY_ID: 'of all',
    'archiver.OBJECTS_S3_ACCESS_KEY_ID': 'of the archiver',
  };
  const { archiver, gateway, identity } = await environments(servers, outside, shell);
  expect([archiver, gateway, identity].map((each) => each?.OBJECTS_S3_ACCESS_KEY_ID)).toEqual([
    'of the archiver',
    'of all',
    undefined,
  ]);
});
