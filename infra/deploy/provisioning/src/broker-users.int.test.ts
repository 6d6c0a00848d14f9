import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { defineContract, defineSurface, type Surface } from '@tds/contracts';
import { createTestBench } from '@tds/kit/testing';
import { nkeyAuthenticator, PROVISIONER } from '@tds/messaging/internals';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { type BrokerUsers, brokerUsers } from './broker-users.ts';
import { startProvisioner } from './provisioner.ts';

const payload = z.object({ n: z.number() });
const status = defineContract('status', {
  commands: { doubleNumber: { request: payload, reply: payload, timeoutMs: 60_000 } },
  events: { numberDoubled: { payload } },
});
const callee = defineSurface(status);
const caller = defineSurface(defineContract('archiver', {}), {
  calls: [status.doubleNumber],
  subscriptions: [status.numberDoubled],
});
const withoutRights = (surface: Surface): Surface => defineSurface(defineContract(surface.name, {}));
const signal = new AbortController().signal;
const context = { requestId: 'req-1', accountId: null, signal };

describe('a broker that knows its users', () => {
  const bench = createTestBench();
  let nats: TestNats | undefined;
  let users: BrokerUsers;
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await bench.stopAll();
    for (const stop of stops.splice(0).reverse()) await stop();
    await nats?.stop();
  });

  /** With the rights that these surfaces have, whatever the services that are started need. */
  const startBroker = async (surfaces: readonly Surface[]): Promise<string> => {
    const secrets = new Map<string, string>();
    users = brokerUsers(
      surfaces,
      (name, make) => secrets.get(name) ?? secrets.set(name, make()).get(name) ?? '',
    );
    nats = await startTestNats({ extraConfig: users.authorization });
    const url = nats.servers;
    const nkeySeed = users.seedOf(PROVISIONER);
    const provisioner = await startProvisioner({ url, nkeySeed, surfaces });
    stops.push(() => provisioner.stop());
    return url;
  };
  const startService = <S extends Surface>(surface: S, handlers: object, natsUrl: string) =>
    bench.start({
      surface,
      handlers,
      natsUrl,
      environment: { NATS_NKEY_SEED: users.seedOf(surface.name) },
    });
  const startBoth = async (natsUrl: string) => {
    const seen: number[] = [];
    const answering = await startService(
      callee,
      { commands: { doubleNumber: async ({ n }: { n: number }) => ({ n: 2 * n }) } },
      natsUrl,
    );
    const listener = { numberDoubled: async ({ n }: { n: number }) => void seen.push(n) };
    const asking = await startService(caller, { subscriptions: listener }, natsUrl);
    return { answering, asking, seen };
  };
  const readyOf = async (addresses: Readonly<Record<string, string>>) =>
    (await (await fetch(`${addresses.health}/ready`)).json()) as { ready: boolean; checks: object };

  it('lets services do all that their surfaces say: they are ready, call, answer, tell and hear', async () => {
    const { answering, asking, seen } = await startBoth(await startBroker([callee, caller]));
    expect(await asking.kit.call(status.doubleNumber, { n: 21 }, context)).toEqual({ n: 42 });
    await answering.kit.messaging.transaction(answering.client, (_tx, send) =>
      send.emit(status.numberDoubled, { n: 7 }),
    );
    await eventually(() => expect(seen).toEqual([7]));
    for (const { addresses } of [answering, asking])
      await eventually(async () => expect(await readyOf(addresses)).toMatchObject({ ready: true }));
  });

  it('refuses a call at once that the caller has no right to, and shows in its readiness what it lacks', async () => {
    const { asking } = await startBoth(await startBroker([callee, withoutRights(caller)]));
    // Long before the minute that this command may take.
    await expect(asking.kit.call(status.doubleNumber, { n: 1 }, context)).rejects.toMatchObject({
      code: 'service_unavailable',
      cause: { message: 'no right to publish cmd.status.double-number.v1' },
    });
    await eventually(async () =>
      expect(await readyOf(asking.addresses)).toMatchObject({
        ready: false,
        checks: { rights: expect.stringContaining('no right to') },
      }),
    );
  });

  it('refuses commands to a service that has no right to answer them, which is not ready then', async () => {
    const { answering } = await startBoth(await startBroker([withoutRights(callee), caller]));
    await eventually(async () =>
      expect(await readyOf(answering.addresses)).toMatchObject({
        ready: false,
        checks: { rights: expect.stringContaining('no right to') },
      }),
    );
  });

  it('keeps strangers out', async () => {
    const url = await startBroker([callee]);
    await expect(connect({ servers: url, reconnect: false })).rejects.toThrow(/Authorization Violation/i);
  });

  it('hands a command nothing that was sent there by way of a stream', async () => {
    const url = await startBroker([callee, caller]);
    const asked: number[] = [];
    const doubleNumber = async ({ n }: { n: number }) => {
      asked.push(n);
      return { n: 2 * n };
    };
    const answering = await startService(callee, { commands: { doubleNumber } }, url);
    const archiver = await connect({
      servers: url,
      inboxPrefix: '_INBOX_archiver.status',
      authenticator: nkeyAuthenticator(users.seedOf('archiver')),
    });
    stops.push(() => archiver.close());
    const [stream, consumer, filter_subject] = [
      'EVT_status',
      'archiver__number-doubled',
      status.numberDoubled.subject,
    ];
    const config = { durable_name: consumer, filter_subject, ack_policy: 'explicit', deliver_policy: 'all' };
    const creation = JSON.stringify({ stream_name: stream, config });
    await archiver.request(`$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${filter_subject}`, creation);
    // As archiver may: what it hears, delivered to whatever it names as its reply.
    const pull = JSON.stringify({ batch: 1, expires: 60_000_000_000 });
    const { subject } = status.doubleNumber;
    archiver.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, pull, { reply: subject });
    await archiver.flush();
    await answering.kit.messaging.transaction(answering.client, (_tx, send) =>
      send.emit(status.numberDoubled, { n: 7 }),
    );
    await eventually(async () => {
      const info = await archiver.request(`$JS.API.CONSUMER.INFO.${stream}.${consumer}`);
      expect(info.json()).toMatchObject({ num_ack_pending: 1 });
    });
    expect((await archiver.request(subject, '{"n":3}')).json()).toEqual({ n: 6 });
    expect(asked).toEqual([3]);
  });
});
