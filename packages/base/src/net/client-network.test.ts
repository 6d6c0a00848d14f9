import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clientNetwork } from './client-network.ts';

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['::FFFF:cb00:714d', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:DB8:0001::9', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['', 'unknown'],
    ['999.1.1.1', 'unknown'],
    ['a\r\nb', 'unknown'],
  ])('%j belongs to %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('is the same for all addresses of one subscriber, and another one for the next', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, byte, byte, (a, b, c, one, other) => {
        const network = clientNetwork(`${a}.${b}.${c}.${one}`);
        expect(clientNetwork(`${a}.${b}.${c}.${other}`)).toBe(network);
        expect(clientNetwork(`${a}.${b}.${(c + 1) % 256}.${one}`)).not.toBe(network);
      }),
    );
    const group = fc.integer({ min: 0, max: 0xffff });
    const hex = (groups: number[]) => groups.map((each) => each.toString(16));
    const prefixes = fc.tuple(fc.integer({ min: 0x2000, max: 0x3fff }), group, group);
    const five = fc.array(group, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(prefixes, five, five, (prefix, one, other) => {
        const network = clientNetwork(hex([...prefix, ...one]).join(':'));
        expect(clientNetwork(hex([...prefix, ...other]).join(':'))).toBe(network);
        expect(clientNetwork(hex([prefix[0], prefix[1], prefix[2] ^ 1, ...one]).join(':'))).not.toBe(network);
      }),
    );
  });

  it('is the same however the address is written: with zeros, in capitals, cut short, for an interface', () => {
    const written = [
      ...['2001:db8:0:0:0:0:0:9', '2001:0DB8::9', '2001:db8::0:9', '2001:db8:0:0::9', '2001:db8::9%eth0'],
      ...['2001:db8:0:ffff::9', '2001:db8::'],
    ];
    expect(new Set(written.map(clientNetwork))).toEqual(new Set(['2001:db8:0::/48']));
  });
});
