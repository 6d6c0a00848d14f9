import { describe, expect, it } from '@jest/globals';
import { redisKeys } from '../redis/redis-keys.ts';
import { newPrincipal } from '../test-support/builders.ts';
import { keyLimits } from './limits.ts';
import { NO_ORDER, NO_PERMITS } from './permits.ts';
import { decodeDecisions, encodeRequests } from './redis-admission.ts';

const principal = newPrincipal({ accountId: 'account', keyId: 'key', limitId: 'first', tier: 'paid' });
const request = { keyDigest: 'digest', principal, use: null, order: NO_ORDER, isRenewal: false };

describe('a request to the admission script', () => {
  const lineOf = (fields: object) => encodeRequests([{ ...request, ...fields }], 'day', keyLimits).lines;
  const unused = { count: 3, moment: '17' };

  it('has its limits; a transcript counts as a cached read', () => {
    expect(lineOf({})).toBe('1 request 300 none 0 0 0');
    expect(lineOf({ use: { cacheKey: 'some:key' } })).toBe('1 request 300 100000 0 0 0');
    expect(lineOf({ use: 'body', order: { ahead: 5, unused } })).toBe('1 request 300 100000 5 3 17');
    expect(lineOf({ use: 'body', order: { ahead: 2, unused: NO_PERMITS }, isRenewal: true })).toBe(
      '1 renewal 300 100000 2 0 0',
    );
  });

  it('for a page of a listing counts no cached read', () => {
    expect(lineOf({ use: 'page', order: { ahead: 5, unused } })).toBe('1 request 300 none 5 3 17');
  });

  it('of a session has the limit of sessions', () => {
    expect(lineOf({ principal: { ...principal, keyId: null, limitId: null } })).toMatch(/^1 request 120 none /);
  });

  it('has each key once, by the index of its keys in Redis, and all tokens of a connection as one', () => {
    const other = { ...request, principal: { ...principal, keyId: 'other', limitId: 'second' } };
    const token = { ...request, keyDigest: 'of another token' };
    expect(encodeRequests([request, other, token], 'day', keyLimits)).toEqual({
      keys: [
        redisKeys.rate('account', 'key'),
        redisKeys.reads('account', 'day', 'first'),
        redisKeys.rate('account', 'other'),
        redisKeys.reads('account', 'day', 'second'),
      ],
      lines: '1 request 300 none 0 0 0\n2 request 300 none 0 0 0\n1 request 300 none 0 0 0',
    });
  });
});

it('the answers of the admission script are four lines each, in the order of the requests', () => {
  const text = ['0', 'counted', '5', '17', '2500', 'none', '0', '0'].join('\n');
  expect(decodeDecisions(text, [request, request], ['{"value":1}', null])).toEqual([
    { principal, waitMs: 0, balance: '{"value":1}', read: 'counted', permits: { count: 5, moment: '17' } },
    { principal, waitMs: 2.5, balance: null, read: 'none', permits: { count: 0, moment: '0' } },
  ]);
});
