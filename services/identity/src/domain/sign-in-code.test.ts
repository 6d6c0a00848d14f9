import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveSignInCode, isSameCode } from './sign-in-code.ts';

const key = Buffer.alloc(32, 7);
const challenge = { challengeId: '0b9fbf0b-2f0e-4c58-8ea0-8d0a3b0f6a11', email: 'a@ex.com' };

describe('deriveSignInCode', () => {
  it('is six digits and the same each time', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.emailAddress(), (challengeId, email) => {
        const code = deriveSignInCode(key, { challengeId, email });
        expect(code).toMatch(/^\d{6}$/);
        expect(deriveSignInCode(key, { challengeId, email })).toBe(code);
      }),
    );
  });

  it('depends on the key, the challenge and the address', () => {
    const codes = [
      deriveSignInCode(key, challenge),
      deriveSignInCode(randomBytes(32), challenge),
      deriveSignInCode(key, { ...challenge, challengeId: randomUUID() }),
      deriveSignInCode(key, { ...challenge, email: 'b@ex.com' }),
    ];
    expect(new Set(codes).size).toBeGreaterThan(2);
  });

  it('spreads evenly: no leading digit is favoured', () => {
    const counts = new Array<number>(10).fill(0);
    for (let index = 0; index < 20_000; index += 1) {
      const code = deriveSignInCode(key, { challengeId: String(index), email: 'a@ex.com' });
      counts[Number(code[0])] = (counts[Number(code[0])] ?? 0) + 1;
    }
    // 2,000 expected, standard deviation 42.
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(250);
  });
});

describe('isSameCode', () => {
  it.each([
    ['123456', true],
    ['123457', false],
    ['12345', false],
    ['1234567', false],
    ['', false],
    ['１２３４５６', false],
    ['123456\n', false],
  ])('%j against 123456 is %s', (given, same) => {
    expect(isSameCode(given, '123456')).toBe(same);
  });
});
