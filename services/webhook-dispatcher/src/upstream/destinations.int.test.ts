import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DestinationError } from '../domain/destination.ts';
import { type NameServer, startNameServer } from '../test-support/name-server.ts';
import { createDestinationGuard, createResolveHost, type DestinationGuard } from './destination-guard.ts';
import { createPoster } from './post-webhook.ts';

const PUBLIC = '93.184.215.14';
const never = new AbortController().signal;
let names: NameServer;
let guard: DestinationGuard;
/** An attacker's target: no request may connect to it. */
const inside = createServer();
let connections = 0;

beforeAll(async () => {
  names = await startNameServer();
  guard = createDestinationGuard(
    { ownHosts: [], takesLocalReceivers: false },
    createResolveHost(names.address),
  );
  inside.on('connection', () => {
    connections += 1;
  });
  inside.listen(8443, '127.0.0.1');
  await once(inside, 'listening').catch(() => undefined);
});
afterAll(async () => {
  inside.close();
  await names.stop();
});

const catchFault = (url: string): Promise<string> =>
  guard.check(url).then(
    () => 'passes',
    (error) => (error instanceof DestinationError ? error.fault : String(error)),
  );

describe('a name', () => {
  it.each([
    ['one public address', [[PUBLIC]], 'passes'],
    ['public addresses of both kinds', [[PUBLIC, '2606:2800:21f:cb07::1']], 'passes'],
    ['a loopback address', [['127.0.0.1']], 'private'],
    ['a metadata address', [['169.254.169.254']], 'private'],
    ['a private address among public ones', [[PUBLIC, '10.0.0.1']], 'private'],
    ['a public address and a private one of IPv6', [[PUBLIC, 'fd00::1']], 'private'],
    ['an IPv4 address mapped into IPv6', [['::ffff:127.0.0.1']], 'private'],
    ['no address', [[]], 'dns_empty'],
    ['a name server that fails', ['refused' as const], 'dns_failed'],
  ])('with %s: %j', async (title, answers, fault) => {
    const name = `${title.replaceAll(' ', '-').toLowerCase()}.example`;
    names.setAnswers(name, ...answers);
    expect(await catchFault(`https://${name}/`)).toBe(fault);
  });

  it('that is an alias resolves to its target', async () => {
    names.alias('alias-inside.example', 'db.inside.example', '10.0.0.7');
    names.alias('alias-outside.example', 'www.outside.example', PUBLIC);
    expect(await catchFault('https://alias-inside.example/')).toBe('private');
    expect(await catchFault('https://alias-outside.example/')).toBe('passes');
  });

  it('that was public when it was saved is refused if it resolves to a private address later', async () => {
    names.setAnswers('rebound.example', [PUBLIC], ['127.0.0.1']);
    expect(await catchFault('https://rebound.example:8443/')).toBe('passes');
    const poster = createPoster(guard);
    const webhook = { accountId: 'me', url: 'https://rebound.example:8443/', headers: {}, body: '{}' };
    const result = await poster.post(webhook, never);
    expect(result).toEqual({ status: null, error: 'private_address', answer: null });
    expect(names.asked('rebound.example')).toBe(4);
    expect(connections).toBe(0);
    await poster.close();
  });

  it('is connected to at the address that was checked, without a second lookup', async () => {
    names.setAnswers('pinned.example', [PUBLIC], ['127.0.0.1']);
    const addresses = await new Promise((resolve) => {
      guard.lookup('pinned.example', { all: true }, (_error, found) => resolve(found));
    });
    expect(addresses).toEqual([{ address: PUBLIC, family: 4 }]);
    expect(names.asked('pinned.example')).toBe(2);
  });

  it('is not needed for an IP address, which is checked again at each attempt', async () => {
    const poster = createPoster(guard);
    const { port } = inside.address() as AddressInfo;
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433']) {
      const webhook = { accountId: 'me', url: `https://${host}:${port}/`, headers: {}, body: '{}' };
      expect(await poster.post(webhook, never)).toMatchObject({ error: 'private_address' });
    }
    expect(connections).toBe(0);
    await poster.close();
  });
});
