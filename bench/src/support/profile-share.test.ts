import { expect, it } from '@jest/globals';
import { type Profile, shareOf } from './profile-share.ts';

const node = (id: number, url: string, children: number[] = [], functionName = 'f') => ({
  id,
  callFrame: { functionName, url },
  children,
});

const profile: Profile = {
  nodes: [
    node(1, '', [2, 6], '(root)'),
    node(2, 'file:///gateway.ts', [3]),
    node(3, 'file:///prom-client/histogram.js', [4, 5]),
    node(4, 'node:internal'),
    node(5, 'file:///gateway.ts'),
    node(6, '', [], '(idle)'),
  ],
  samples: [2, 3, 4, 5, 6],
  timeDeltas: [50, 10, 20, 20, 900],
};

it('time in Node counts for the file that called it, callbacks count for their own file, and idle time does not count', () => {
  expect(shareOf(profile, /prom-client/)).toBe(0.3);
});
