import { describe, expect, it } from '@jest/globals';
import { newPrincipal } from '../test-support/builders.ts';
import {
  decodeAnswers,
  encodeAsks,
  HELD_BODY,
  isSought,
  PERMITS_ONLY,
  UNCOUNTED,
  UNCOUNTED_PERMITS,
} from './admit-script.ts';
import { limitKeys } from './limits.ts';
import { NO_PERMITS } from './permit-blocks.ts';

const principal = newPrincipal({ accountId: 'account', keyId: 'key', limitId: 'first', tier: 'paid' });

describe('asks', () => {
  const ask = { keyDigest: 'digest', known: principal, wantedKey: null, block: NO_PERMITS };
  const lineOf = (given: object) => encodeAsks('day', [{ ...ask, ...given }]).text;

  it('are lines of five words', () => {
    expect(lineOf({})).toBe('1 paid - 0 0');
    expect(lineOf({ wantedKey: 'rendered:some:key' })).toBe('1 paid ? 0 0');
    expect(lineOf({ wantedKey: HELD_BODY, block: { ahead: 5, back: '3:17' } })).toBe('1 paid + 5 3:17');
    expect(lineOf({ wantedKey: PERMITS_ONLY, block: { ahead: 2, back: '0' } })).toBe('1 paid * 2 0');
  });

  it('say what counts as no cached read', () => {
    expect(lineOf({ wantedKey: UNCOUNTED, block: { ahead: 5, back: '0' } })).toBe('1 paid = 5 0');
    expect(lineOf({ wantedKey: UNCOUNTED_PERMITS })).toBe('1 paid % 0 0');
    expect([UNCOUNTED, HELD_BODY, null, 'rendered:some:key'].map(isSought)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('of a session have the limits of sessions', () => {
    expect(lineOf({ known: { ...principal, keyId: null, limitId: null } })).toMatch(/^1 session /);
  });

  it('name each credential once, by the place of its keys', () => {
    const other = { ...ask, keyDigest: 'other', known: { ...principal, limitId: 'second' } };
    expect(encodeAsks('day', [ask, other, ask])).toEqual({
      keys: [
        limitKeys.rate('account', 'digest'),
        limitKeys.reads('account', 'day', 'first'),
        limitKeys.readsSince('account'),
        limitKeys.rate('account', 'other'),
        limitKeys.reads('account', 'day', 'second'),
        limitKeys.readsSince('account'),
      ],
      text: '1 paid - 0 0\n2 paid - 0 0\n1 paid - 0 0',
    });
  });
});

describe('an answer', () => {
  it('is three lines, in the order of the asks', () => {
    const text = ['0', '+', '5:17', '2500', 'x', '0'].join('\n');
    const decided = { kind: 'decided', principal: null };
    expect(decodeAnswers(text, ['{"value":1}', null])).toEqual([
      { ...decided, waitMs: 0, balance: '{"value":1}', read: 'counted', taken: '5:17' },
      { ...decided, waitMs: 2.5, balance: null, read: 'refused', taken: '0' },
    ]);
  });

  it('tells a read whose counter may have been lost', () => {
    expect(decodeAnswers('0\n?\n0', [])).toMatchObject([{ read: 'unseeded' }]);
  });
});
