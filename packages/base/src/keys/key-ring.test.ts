import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createKeyRing, macPattern, type RingKey } from './key-ring.ts';

const newKey = (id: string): RingKey => ({ id, secret: randomBytes(24).toString('base64url') });
const [first, second] = [newKey('2026-11'), newKey('2026-12')];
const text = 'who a key stands for';
const macs = createKeyRing([first]).forUse('tests');

describe('a key ring', () => {
  it('knows its own texts again, and no other', () => {
    const mac = macs.sign(text);
    expect(mac).toMatch(macPattern);
    expect(macs.check(text, mac)).toBe('right');
    expect(macs.check(`${text}.`, mac)).toBe('wrong');
  });

  it('believes no MAC that was made for another use or with another secret under the same id', () => {
    const others = [createKeyRing([first]).forUse('others'), createKeyRing([newKey(first.id)]).forUse('tests')];
    for (const other of others) expect(macs.check(text, other.sign(text))).toBe('wrong');
  });

  it.each(['', '.', '2026-11', `2026-11.${'A'.repeat(42)}`, `2026-11.${'A'.repeat(44)}`, `.${'A'.repeat(43)}`])(
    'does not take %j for a MAC',
    (mac) => {
      expect(macs.check(text, mac)).toBe('unknown-key');
    },
  );

  it('verifies at each step of an exchange what the step before and the step after have signed', () => {
    const steps = [[first], [first, second], [second, first], [second]] as const;
    const rings = steps.map((keys) => createKeyRing(keys).forUse('tests'));
    for (const [at, ring] of rings.entries()) {
      for (const other of rings.slice(Math.max(0, at - 1), at + 2)) {
        expect(ring.check(text, other.sign(text))).toBe('right');
      }
    }
    const last = rings[3]?.sign(text) ?? '';
    expect([rings[0]?.check(text, last), rings[0]?.knows(last), rings[1]?.knows(last)]).toEqual([
      'unknown-key',
      false,
      true,
    ]);
  });

  it('shows no secret to who prints it', () => {
    const ring = createKeyRing([first]);
    const shown = inspect([ring, ring.forUse('tests')], { depth: 9, showHidden: true });
    expect(shown + JSON.stringify(ring)).not.toContain(first.secret);
  });
});
