import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Sha256 } from './sha256.ts';

describe('Sha256', () => {
  it('is that of Node for every length around a block, however it is cut', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = randomBytes(length);
      const cut = Math.floor(Math.random() * length);
      const hash = new Sha256().update(bytes.subarray(0, cut)).update(bytes.subarray(cut));
      expect(Buffer.from(hash.digest())).toEqual(createHash('sha256').update(bytes).digest());
    }
  });

  it('is that of Node for a megabyte', () => {
    const bytes = randomBytes(1_000_003);
    expect(Buffer.from(new Sha256().update(bytes).digest())).toEqual(
      createHash('sha256').update(bytes).digest(),
    );
  });
});
