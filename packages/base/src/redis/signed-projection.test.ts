import { describe, expect, it } from '@jest/globals';
import { identity, type Principal } from '@tds/contracts';
import { createKeyRing } from '../keys/key-ring.ts';
import { encodeProjection, openProjection, signProjection } from './projections.ts';

const macsOf = (id: string, fill: string) =>
  createKeyRing([{ id, secret: fill.repeat(32) }]).forUse('principals');
const macs = macsOf('a', 'x');
const [key, otherKey] = [identity.principal.key('a'.repeat(64)), identity.principal.key('b'.repeat(64))];
const principal: Principal = {
  accountId: '11111111-2222-4333-8444-555555555555',
  keyId: '11111111-2222-4333-8444-555555555556',
  keyState: 'active',
  keyVersion: 0,
  limitId: '11111111-2222-4333-8444-555555555556',
  status: 'active',
  tier: 'free',
  dailyCreditCap: null,
  accountCreatedAt: '2026-01-01T00:00:00.000Z',
};
const UNTIL = 1_000_000;
const signed = signProjection(macs, key, principal, UNTIL);
const open = (text: string, { under = key, now = UNTIL, by = macs } = {}) =>
  openProjection(by, identity.principal, under, text, now);

describe('a signed projection', () => {
  it('gives its value back, until its end', () => {
    expect(open(signed)).toEqual({ value: principal, until: UNTIL });
    expect(open(signed, { now: UNTIL + 1 })).toEqual({ refused: 'ended' });
  });

  it('is not believed under another key', () => {
    expect(open(signed, { under: otherKey })).toEqual({ refused: 'wrong-mac' });
  });

  it('is not believed once a character of it is another one', () => {
    const changed = Array.from(signed, (character, at) => {
      const other = character === '1' ? '2' : '1';
      return signed.slice(0, at) + other + signed.slice(at + 1);
    });
    for (const text of changed) expect([text, Object.keys(open(text))]).toEqual([text, ['refused']]);
    expect(open(signed.replace('"free"', '"paid"'))).toEqual({ refused: 'wrong-mac' });
    expect(open(signed.replace(`:${UNTIL},`, `:${UNTIL * 10},`))).toEqual({ refused: 'wrong-mac' });
    expect(open(`${signed} `)).toEqual({ refused: 'wrong-mac' });
  });

  it.each(['', '{', 'null', encodeProjection(principal), '{"mac":1}', '{"mac":"a","value":1}'])(
    'is refused if it was not signed: %j',
    (text) => {
      expect(open(text)).toEqual({ refused: 'not-signed' });
    },
  );

  it('is not what another secret signed, under our id or its own', () => {
    expect(open(signProjection(macsOf('a', 'y'), key, principal, UNTIL))).toEqual({ refused: 'wrong-mac' });
    expect(open(signProjection(macsOf('b', 'x'), key, principal, UNTIL))).toEqual({ refused: 'unknown-key' });
  });

  it('is unreadable if it is of another shape, though it was signed', () => {
    expect(open(signProjection(macs, key, { tier: 'gold' }, UNTIL))).toEqual({ refused: 'unreadable' });
  });
});
