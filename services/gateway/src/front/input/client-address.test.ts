import { describe, expect, it } from '@jest/globals';
import { createClientAddress, createTrustedProxy } from './client-address.ts';

const asked = (remoteAddress: string | undefined, forwarded?: string) =>
  createClientAddress(createTrustedProxy(['10.0.0.0/8', 'fd00::/8']))({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress } as never,
  });

describe('the address of a caller behind a trusted proxy', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234, 10.0.0.2:80', '203.0.113.7'],
    ['203.0.113.7, [fd00::2]:443', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1:1,203.0.113.7:2 ', '203.0.113.7'],
  ])('is the nearest one that is no trusted proxy: %s', (forwarded, address) => {
    expect(asked('10.0.0.1', forwarded)).toBe(address);
    expect(asked('::ffff:10.0.0.1', forwarded)).toBe(address);
  });

  it.each([
    'unknown',
    '_hidden',
    '',
    '203.0.113.7:port',
    '203.0.113.7:123456',
    '203.0.113',
    '2001:db8::7]:1',
    '[203.0.113.7]:1',
    '[[2001:db8::7]]:1',
    '203.0.113.7 10.0.0.2',
    '10.0.0.2:80:80',
  ])('is the proxy itself if an entry is %j: earlier entries do not count', (entry) => {
    expect(asked('10.0.0.1', `198.51.100.9, ${entry}`)).toBe('10.0.0.1');
  });

  it('differs for two callers of a proxy that appends ports', () => {
    expect(asked('10.0.0.1', '203.0.113.7:1000')).not.toBe(asked('10.0.0.1', '203.0.113.8:1000'));
  });
});

describe('the address of other callers', () => {
  it.each([
    ['203.0.113.7', '10.0.0.1'],
    ['203.0.113.7', '198.51.100.1:80'],
    ['2001:db8::7', undefined],
  ])('is that of the socket: %s', (address, forwarded) => {
    expect(asked(address, forwarded)).toBe(address);
  });

  it('is null if the socket is closed', () => {
    expect(asked(undefined, '203.0.113.7')).toBe('');
  });
});
