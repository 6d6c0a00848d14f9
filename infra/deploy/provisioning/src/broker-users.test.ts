import { describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { buildPermissions, provisionerPermissions } from './broker-users.ts';

const payload = z.object({});
const command = { request: payload, reply: payload };
const identity = defineContract('identity', {
  commands: { createKey: command, listKeys: command },
  tasks: { sendMail: { payload, leaseMs: 1_000, backoffMs: [], concurrency: 1, timeLimitMs: null } },
  events: { keyRevoked: { payload }, keyCreated: { payload } },
});
const all = [
  defineSurface(identity),
  defineSurface(defineContract('gateway', {}), {
    calls: [identity.listKeys],
    broadcasts: [identity.keyRevoked],
  }),
  defineSurface(defineContract('credits-ledger', {}), { subscriptions: [identity.keyCreated] }),
  defineSurface(defineContract('status', {})),
] as const;
const [own, gateway, ledger, idle] = all;

describe('what the broker lets a service do', () => {
  it('is to call what it calls, and to receive its own answers and broadcasts', () => {
    expect(buildPermissions(gateway, all)).toEqual({
      publish: ['cmd.identity.list-keys.v1'],
      subscribe: ['_INBOX_gateway.>', 'evt.identity.key-revoked.v1'],
    });
  });

  it('is to answer its commands, to those who call them and in the inbox that each has for it', () => {
    const { publish, subscribe } = buildPermissions(own, all);
    expect(subscribe).toEqual(
      expect.arrayContaining(['cmd.identity.create-key.v1 identity', 'cmd.identity.list-keys.v1 identity']),
    );
    const inboxes = publish.filter((subject) => subject.startsWith('_INBOX'));
    expect(inboxes).toEqual(['_INBOX_gateway.identity.>', '_INBOX_operator.>']);
  });

  it('is to tell its own events', () => {
    const { publish } = buildPermissions(own, all);
    expect(publish.filter((subject) => /^(evt|cmd)/.test(subject))).toEqual([
      'evt.identity.key-revoked.v1',
      'evt.identity.key-created.v1',
    ]);
  });

  it('is to tell the other instances of the service that it works, and to hear them alone', () => {
    const { publish, subscribe } = buildPermissions(own, all);
    for (const subjects of [publish, subscribe])
      expect(subjects.filter((subject) => subject.startsWith('work.'))).toEqual(['work.identity']);
  });

  it('is to consume the events that it subscribes to, by its own consumers and no other', () => {
    const { publish } = buildPermissions(ledger, all);
    const api = publish.filter((subject) => subject.includes('EVT_identity'));
    expect(api).toEqual([
      '$JS.API.STREAM.INFO.EVT_identity',
      '$JS.API.CONSUMER.CREATE.EVT_identity.credits-ledger__key-created.evt.identity.key-created.v1',
      '$JS.API.CONSUMER.INFO.EVT_identity.credits-ledger__key-created',
      '$JS.API.CONSUMER.DELETE.EVT_identity.credits-ledger__key-created',
      '$JS.API.CONSUMER.MSG.NEXT.EVT_identity.credits-ledger__key-created',
      '$JS.ACK.EVT_identity.credits-ledger__key-created.>',
      '$JS.ACK.*.*.EVT_identity.credits-ledger__key-created.>',
      '$JS.API.CONSUMER.CREATE.EVT_identity.credits-ledger__key-created__search.evt.identity.key-created.v1',
      '$JS.API.CONSUMER.INFO.EVT_identity.credits-ledger__key-created__search',
      '$JS.API.CONSUMER.DELETE.EVT_identity.credits-ledger__key-created__search',
      '$JS.API.CONSUMER.MSG.NEXT.EVT_identity.credits-ledger__key-created__search',
    ]);
  });

  it('is nothing but to receive answers if the surface is empty', () => {
    expect(buildPermissions(idle, all)).toEqual({ publish: [], subscribe: ['_INBOX_status.>'] });
  });

  it('never is to make or change a stream, or to read messages by their number', () => {
    const allowed = all.flatMap((surface) => buildPermissions(surface, all).publish);
    expect(
      allowed.filter((subject) => /STREAM\.(?!INFO)|DIRECT|MSG\.GET|[$]JS\.API\.[*>]/.test(subject)),
    ).toEqual([]);
    expect(provisionerPermissions(all).publish).toEqual(
      expect.arrayContaining(['$JS.API.STREAM.CREATE.EVT_identity', '$JS.API.STREAM.UPDATE.EVT_identity']),
    );
  });
});
