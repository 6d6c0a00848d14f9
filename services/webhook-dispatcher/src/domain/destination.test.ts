import { describe, expect, it } from '@jest/globals';
import { DestinationError, type DestinationRules, readDestination } from './destination.ts';

const rules: DestinationRules = { ownHosts: ['api.tds.example'], takesLocalReceivers: false };
const local: DestinationRules = { ...rules, takesLocalReceivers: true };

const catchFault = (text: string, given = rules): string => {
  try {
    return `passes as ${readDestination(text, given).href}`;
  } catch (error) {
    if (error instanceof DestinationError) return error.fault;
    throw error;
  }
};

const privateHosts = [
  // Notations that URL normalizes to an address, as browsers do.
  ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '017700000001'],
  ...['127.0.0.1.', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '0', '0.0.0.0', '127.255.255.254'],
  // Private, link-local, metadata, carrier-grade, benchmarking, documentation, multicast, reserved, broadcast.
  ...['10.0.0.5', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.0.0.1', '192.88.99.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '100.100.100.200'],
  // IPv6: unspecified, loopback, unique local, link-local, site-local, multicast, discard, documentation, SRv6, ORCHID.
  ...['[::]', '[::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[100::1]'],
  ...['[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[2001:10::1]', '[2001:20::1]'],
  // Unallocated IPv6, which a private network may route.
  ...['[4000::1]', '[f000::1]', '[1::1]', '[0:0:1::1]', '[100:0:0:1::1]', '[1fff::1]'],
  // IPv4 inside IPv6: mapped, translated, compatible, NAT64, 6to4, Teredo.
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::ffff:0:127.0.0.1]'],
  ...['[::127.0.0.1]', '[::7f00:1]', '[::a9fe:a9fe]', '[::10.0.0.5]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  // Names that are local to a network.
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'intranet', 'printer.local', 'db.internal'],
  ...['metadata.google.internal', 'metadata.google.internal.', 'router.home.arpa', 'nas.lan'],
  // Our own hosts.
  ...['api.tds.example', 'API.TDS.EXAMPLE', 'api.tds.example.', 'deep.api.tds.example'],
];

describe('the URL of a webhook', () => {
  it.each(privateHosts)('never leads to %s', (host) => {
    expect(catchFault(`https://${host}/hook`)).toBe('private');
  });

  it.each([
    '',
    'hook',
    '/hook',
    'https://',
    'https:///',
    'https://exa mple.com',
    'https://example.com:22/',
    'https://example.com:80/',
    'https://example.com:65536/',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://:pass@example.com/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,hi',
    'ws://example.com/',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
    `https://${'a'.repeat(300)}.com/`,
    `https://${'a.'.repeat(150)}com/`,
    'https://a..b.com/',
    `https://example.com/${'x'.repeat(2_048)}`,
    `https://example.com/${'ü'.repeat(700)}`,
  ])('cannot be %j', (text) => {
    expect(catchFault(text)).toBe('invalid');
  });

  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://EXAMPLE.com:443/Hook?a=b#c', 'https://example.com/Hook?a=b'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://93.184.215.14/hook', 'https://93.184.215.14/hook'],
    ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://notapi.tds.example/', 'https://notapi.tds.example/'],
  ])('may be %s', (text, saved) => {
    expect(catchFault(text)).toBe(`passes as ${saved}`);
  });

  it('may be this machine, over plain http, if local receivers are allowed', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(catchFault(`http://${host}:4000/hooks`, local)).toContain('passes');
    for (const host of ['10.0.0.1', '169.254.169.254', '192.168.0.1', 'intranet'])
      expect(catchFault(`https://${host}/`, local)).toBe('private');
    expect(catchFault('http://example.com/', local)).toBe('invalid');
  });
});
