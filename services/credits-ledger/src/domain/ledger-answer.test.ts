import { expect, it } from '@jest/globals';
import { pickNewestBalances } from './replies.ts';

const answer = (accountId: string, version: number) => ({
  outcome: 'reserved',
  hasEvents: false,
  balance: { accountId, free: 0, purchased: 0, reserved: 0, version, month: '2027-01' },
});

it('only the newest balance of each account among many answers is projected, in any order', () => {
  const answers = [answer('a', 2), answer('b', 7), answer('a', 3), answer('a', 1), answer('c', 0)];
  const unknown = { outcome: 'unknown', hasEvents: false, balance: null };
  expect(pickNewestBalances([...answers, unknown])).toEqual([
    answer('a', 3).balance,
    answer('b', 7).balance,
    answer('c', 0).balance,
  ]);
});
