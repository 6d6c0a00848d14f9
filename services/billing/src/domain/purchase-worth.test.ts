import { describe, expect, it } from '@jest/globals';
import { type Moved, worthOf } from './purchase-worth.ts';

const paid: Moved = { block: 20, amount: 900, refunded: 0, disputed: 0, isTakenBack: false };

describe('what stands of a purchase', () => {
  it.each<[string, Partial<Moved>, number]>([
    ['is all of it while no money has moved', {}, 20],
    ['is nothing once its money is given back', { refunded: 900 }, 0],
    ['is nothing while a bank holds its money', { disputed: 900 }, 0],
    ['is never below nothing', { refunded: 900, disputed: 900 }, 0],
    ['is nothing once the block is taken back, before money moves', { isTakenBack: true }, 0],
    ['shrinks with a part of the money, in whole credits and not to our loss', { refunded: 460 }, 9],
  ])('%s', (_title, moved, standing) => {
    expect(worthOf({ ...paid, ...moved })).toBe(standing);
  });
});
