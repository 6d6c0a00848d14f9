import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PermissionViolationError } from '@nats-io/nats-core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { createKeyRing, keyRing, openProjection, signProjection } from '@tds/base';
import {
  identity,
  keyRingUses,
  type Principal,
  type ServiceName,
  type Surface,
  serviceNames,
} from '@tds/contracts';
import { environments, loadSurfaces } from '@tds/local';
import { inboxOf, nkeyAuthenticator, PROVISIONER } from '@tds/messaging/internals';
import {
  type BrokerUsers,
  brokerUsers,
  buildPermissions,
  type Permissions,
  startProvisioner,
} from '@tds/provisioning/rights';
import { startTestNats, type TestNats } from '@tds/test-kit';
import { secretsInMemory } from '#support/testing';

const API = '$JS.API';
const streamVerbs = [
  'CREATE',
  'UPDATE',
  'DELETE',
  'PURGE',
  'MSG.GET',
  'MSG.DELETE',
  'SNAPSHOT',
  'RESTORE',
  'LEADER.STEPDOWN',
];
const consumerVerbs = ['INFO', 'DELETE', 'MSG.NEXT', 'DURABLE.CREATE', 'LEADER.STEPDOWN'];

/** Wildcards of a permission, filled in with plausible values. */
const concrete = (subject: string): string => subject.replace(/\*/g, 'x').replace(/>$/, 'x.y');
const matches = (allowed: string, subject: string): boolean => {
  const [want, have] = [allowed.split(' ')[0]!.split('.'), subject.split('.')];
  const tail = want.at(-1) === '>';
  if (tail ? have.length < want.length : have.length !== want.length) return false;
  return want.every((token, at) => token === '*' || token === '>' || token === have[at]);
};

/** All subjects of rights, of the broker's API for each stream and consumer, and of no right at all. */
const everySubject = (surfaces: readonly Surface[], all: readonly Permissions[]): string[] => {
  const ofServices = all.flatMap(({ publish, subscribe }) => [...publish, ...subscribe]);
  const streams = serviceNames.map((name) => `EVT_${name}`);
  const consumers = all.flatMap(({ publish }) =>
    publish.flatMap((subject) => /CONSUMER\.INFO\.(\S+)/.exec(subject)?.[1] ?? []),
  );
  return [
    ...new Set([
      ...ofServices.map((subject) => concrete(subject.split(' ')[0]!)),
      ...surfaces.flatMap(({ contract }) => Object.values(contract.commands).map(({ subject }) => subject)),
      ...streams.flatMap((stream) => [
        ...streamVerbs.map((verb) => `${API}.STREAM.${verb}.${stream}`),
        `${API}.DIRECT.GET.${stream}`,
        `${API}.CONSUMER.CREATE.${stream}`,
        `${API}.CONSUMER.CREATE.${stream}.stranger`,
        `${API}.CONSUMER.LIST.${stream}`,
      ]),
      ...consumers.flatMap((consumer) => consumerVerbs.map((verb) => `${API}.CONSUMER.${verb}.${consumer}`)),
      ...[...serviceNames, PROVISIONER].map((name) => `${inboxOf(name)}.anything`),
      ...['INFO', 'STREAM.LIST', 'STREAM.NAMES', 'ACCOUNT.PURGE.$G'].map((verb) => `${API}.${verb}`),
      ...['$SYS.REQ.SERVER.PING', '$KV.x.y', '$O.x.y', 'anything', '_INBOX.x', '_R_.x', '$JS.FC.x.y'],
    ]),
  ];
};

/** What listens to more than one subject. */
const everyWildcard = ['>', 'cmd.>', 'evt.>', '_INBOX.>', '*.>', '*.*.*.*', '$JS.>', '$SYS.>', '$SRV.>'];

describe('a compromised service', () => {
  let nats: TestNats;
  let users: BrokerUsers;
  let surfaces: readonly Surface[];
  let stopProvisioner: () => Promise<void>;
  const connections: NatsConnection[] = [];
  beforeAll(async () => {
    surfaces = await loadSurfaces();
    users = brokerUsers(surfaces, secretsInMemory());
    nats = await startTestNats({ extraConfig: users.authorization });
    const nkeySeed = users.seedOf(PROVISIONER);
    ({ stop: stopProvisioner } = await startProvisioner({ url: nats.servers, nkeySeed, surfaces }));
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await stopProvisioner();
    await nats.stop();
  });

  /** Tries all at once, as that service; resolves to what the broker refused. */
  const refusedOf = async (
    service: ServiceName,
    attempt: (connection: NatsConnection) => void,
  ): Promise<Set<string>> => {
    const authenticator = nkeyAuthenticator(users.seedOf(service));
    const connection = await connect({ servers: nats.servers, authenticator });
    connections.push(connection);
    const refused = new Set<string>();
    const listening = (async () => {
      for await (const status of connection.status())
        if (status.type === 'error' && status.error instanceof PermissionViolationError)
          refused.add(status.error.subject);
    })();
    attempt(connection);
    // The broker answers in order, so all that it refused has been said by then.
    await connection.flush();
    await connection.close();
    await listening;
    return refused;
  };
  const rightsOf = (name: string): Permissions =>
    buildPermissions(surfaces.find((surface) => surface.name === name)!, surfaces);
  const names = async () => (await loadSurfaces()).map(({ name }) => name);

  it('publishes nothing on the broker but what its surface says', async () => {
    const all = surfaces.map((surface) => buildPermissions(surface, surfaces));
    for (const name of await names()) {
      const { publish } = rightsOf(name);
      const foreign = everySubject(surfaces, all).filter(
        (subject) => !publish.some((allowed) => matches(allowed, subject)),
      );
      const refused = await refusedOf(name, (connection) => {
        for (const subject of foreign) connection.publish(subject, '{}');
      });
      expect([name, foreign.filter((subject) => !refused.has(subject))]).toEqual([name, []]);
      expect(foreign.length).toBeGreaterThan(200);
    }
  });

  it('hears nothing on the broker but what its surface says', async () => {
    const all = surfaces.map((surface) => buildPermissions(surface, surfaces));
    for (const name of await names()) {
      const { subscribe } = rightsOf(name);
      const foreign = [...everySubject(surfaces, all), ...everyWildcard].filter(
        (subject) => !subscribe.some((allowed) => !allowed.includes(' ') && matches(allowed, subject)),
      );
      const refused = await refusedOf(name, (connection) => {
        for (const subject of foreign) connection.subscribe(subject, { callback: () => {} });
      });
      expect([name, foreign.filter((subject) => !refused.has(subject))]).toEqual([name, []]);
    }
  });

  it('does, of what its surface says, everything', async () => {
    for (const name of await names()) {
      const { publish, subscribe } = rightsOf(name);
      const refused = await refusedOf(name, (connection) => {
        for (const subject of publish.filter((each) => !each.startsWith('$JS')))
          connection.publish(concrete(subject), '');
        for (const subject of subscribe) {
          const [plain = '', queue] = subject.split(' ');
          connection.subscribe(plain, { callback: () => {}, ...(queue ? { queue } : {}) });
        }
      });
      expect([name, [...refused]]).toEqual([name, []]);
    }
  });
});

// As a local run hands them out: addresses, and secrets by their names.
const servers = {
  databases: {},
  objects: { urlOf: (user: string) => `postgres://${user}:its-password@objects` },
  secretOf: (name: string) => `${name} of this test which is long enough`,
  nats: { servers: 'nats', seedOf: (user: string) => `the seed of ${user}, which is a secret as well` },
  redis: { urlOf: (user: string) => `redis://${user}:its-password@redis` },
  redisCache: { urlOf: (user: string) => `redis://${user}:its-password@cache` },
};
const outside = {
  port: 8080,
  platformOrigin: 'http://platform',
  smtpUrl: 'smtp://mail',
  paymentOrigin: 'http://pay',
};
const environmentOf = await environments(servers, outside);

describe('with all that it knows, a compromised service', () => {
  const redisKey = identity.principal.key('a'.repeat(64));
  const stranger: Principal = {
    accountId: randomUUID(),
    keyId: randomUUID(),
    keyState: 'active',
    keyVersion: 0,
    limitId: randomUUID(),
    status: 'active',
    tier: 'paid',
    dailyCreditCap: null,
    accountCreatedAt: new Date(0).toISOString(),
  };
  const { gateway } = environmentOf;
  const believed = keyRing().parse(gateway?.KEY_RING).forUse(keyRingUses.principals);
  /** What gateways make of principals that are signed with each word that the service was given, as the key of any name. */
  const takenFrom = (service: string): unknown[] => {
    const words = Object.values(environmentOf[service] ?? {}).flatMap((text = '') => [
      text,
      text.split(':').at(-1) ?? '',
    ]);
    return words.flatMap((secret) =>
      ['local', 'other'].map((id) => {
        const macs = createKeyRing([{ id, secret }]).forUse(keyRingUses.principals);
        const signed = signProjection(macs, redisKey, stranger, Number.MAX_SAFE_INTEGER);
        return openProjection(believed, identity.principal, redisKey, signed, 0);
      }),
    );
  };
  const accepted = (service: string) => takenFrom(service).filter((taken) => 'value' in (taken as object));

  it('makes no principal in Redis that a gateway believes, unless it is identity or a gateway itself', () => {
    const services = Object.keys(environmentOf);
    const holders = services.filter((service) => accepted(service).length > 0);
    expect(holders.toSorted()).toEqual(['gateway', 'identity']);
    for (const service of services) expect(takenFrom(service).length).toBeGreaterThan(10);
  });

  it('moves no principal that identity has signed to a key of its own', () => {
    const signed = signProjection(believed, redisKey, stranger, Number.MAX_SAFE_INTEGER);
    const ownKey = identity.principal.key('b'.repeat(64));
    expect(openProjection(believed, identity.principal, redisKey, signed, 0)).toMatchObject({
      value: stranger,
    });
    expect(openProjection(believed, identity.principal, ownKey, signed, 0)).toEqual({ refused: 'wrong-mac' });
  });
});
