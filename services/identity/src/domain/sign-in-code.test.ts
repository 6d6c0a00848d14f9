import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createKeyRing } from '@tds/base';
import { codeProofText } from '@tds/contracts';
import fc from 'fast-check';
import { deriveSignInCode, isRightGuess } from './sign-in-code.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
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
      deriveSignInCode(createSecretKey(randomBytes(32)), challenge),
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

describe('a guess', () => {
  const macs = createKeyRing([{ id: 'a', secret: 'x'.repeat(32) }]).forUse('tests');
  const others = createKeyRing([{ id: 'b', secret: 'y'.repeat(32) }]).forUse('tests');
  const digests = { sessionDigest: 's', keyDigest: 'k', newDeviceDigest: 'd' };
  const guess = { email: 'a@ex.com', code: '123456', ...digests };
  const { code: _, ...unsaid } = guess;
  const proven = { ...unsaid, codeProof: macs.sign(codeProofText(guess)) };

  it('is right by its proof alone, which does not contain or reveal the code', () => {
    expect(JSON.stringify(proven)).not.toContain('123456');
    expect([isRightGuess(macs, proven, '123456'), isRightGuess(macs, proven, '123457')]).toEqual([true, false]);
  });

  it.each(['email', 'sessionDigest', 'keyDigest', 'newDeviceDigest'] as const)(
    'is wrong with another %s',
    (field) => {
      expect(isRightGuess(macs, { ...proven, [field]: 'other' }, '123456')).toBe(false);
    },
  );

  it('with an unreadable proof is not right', () => {
    const unreadable = { ...unsaid, codeProof: others.sign(codeProofText(guess)) };
    expect(isRightGuess(macs, unreadable, '123456')).toBe(false);
  });
});
