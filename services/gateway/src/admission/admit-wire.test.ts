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
} from './admit-wire.ts';
import { NO_PERMITS } from './permit-blocks.ts';

const principal = newPrincipal({ accountId: 'account', keyId: 'key', limitId: 'first', tier: 'paid' });

describe('an ask', () => {
  const lineOf = (given: object) =>
    encodeAsks([{ keyDigest: 'digest', known: principal, wantedKey: null, block: NO_PERMITS, ...given }]);

  it('is a line of seven words', () => {
    expect(lineOf({})).toBe('digest account paid first - 0 0');
    expect(lineOf({ known: null })).toBe('digest - - - - 0 0');
    expect(lineOf({ wantedKey: 'rendered:some:key' })).toBe('digest account paid first ? 0 0');
    expect(lineOf({ wantedKey: HELD_BODY, block: { ahead: 5, back: '3:17' } })).toBe(
      'digest account paid first + 5 3:17',
    );
    expect(lineOf({ wantedKey: PERMITS_ONLY, block: { ahead: 2, back: '0' } })).toBe(
      'digest account paid first * 2 0',
    );
  });

  it('says what counts as no cached read', () => {
    expect(lineOf({ wantedKey: UNCOUNTED, block: { ahead: 5, back: '0' } })).toBe(
      'digest account paid first = 5 0',
    );
    expect(lineOf({ wantedKey: UNCOUNTED_PERMITS })).toBe('digest account paid first % 0 0');
    expect([UNCOUNTED, HELD_BODY, null, 'rendered:some:key'].map(isSought)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('of a session has the limits of sessions', () => {
    expect(lineOf({ known: { ...principal, keyId: null, limitId: null } })).toMatch(
      /^digest account session /,
    );
  });

  it('stands in a line of its own in a batch', () => {
    const ask = { keyDigest: 'digest', known: null, wantedKey: null, block: NO_PERMITS };
    expect(encodeAsks([ask, { ...ask, keyDigest: 'other' }])).toBe('digest - - - - 0 0\nother - - - - 0 0');
  });
});

describe('an answer', () => {
  it('is five lines, in the order of the asks', () => {
    const text = [
      '0',
      '-',
      '{"value":1}',
      '+',
      '5:17',
      '-1',
      '-',
      '-',
      '-',
      '0',
      '2500',
      '{}',
      '-',
      'x',
      '0',
    ];
    expect(decodeAnswers(text.join('\n'))).toEqual([
      { kind: 'decided', waitMs: 0, principal: null, balance: '{"value":1}', read: 'counted', taken: '5:17' },
      { kind: 'unknown-key' },
      { kind: 'decided', waitMs: 2.5, principal: '{}', balance: null, read: 'refused', taken: '0' },
    ]);
  });

  it('tells a read whose counter may have been lost', () => {
    expect(decodeAnswers('0\n-\n-\n?\n0')).toMatchObject([{ read: 'unseeded' }]);
  });
});
