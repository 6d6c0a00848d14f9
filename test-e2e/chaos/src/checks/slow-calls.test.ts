import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../history.ts';
import { faultAt500, historyOf, invariantsOf, paidCall } from '../test-support/seen.ts';
import { checkSlowCalls } from './slow-calls.ts';

describe('the check of a slow network', () => {
  const fault = faultAt500({ fault: 'slow-network', kills: 0 });
  const kill = faultAt500({ fault: 'kill-gateway', target: 'gateway-1', at: 2_600 });
  const seen = (...calls: Partial<CallRecord>[]) => {
    const answered = Array.from({ length: 19 }, () => paidCall());
    const seenCalls = [...answered, ...calls.map(paidCall)];
    return invariantsOf(checkSlowCalls(historyOf({ faults: [fault, kill], calls: seenCalls })));
  };
  const refused = { outcome: 'failed', status: 503 } as const;

  it('finds a call without an answer (R20)', () => {
    expect([seen(), seen({ outcome: 'unknown', status: null })]).toEqual([[], ['R20']]);
  });

  it('leaves a call that was cut off by a kill to that kill', () => {
    expect(seen({ outcome: 'unknown', status: null, at: 1_400, ms: 1_300 })).toEqual([]);
  });

  it('leaves a call that was still under way when the next fault began to that fault', () => {
    const freeze = faultAt500({ fault: 'freeze-broker', target: 'nats', kills: 0, at: 1_550, until: 1_900 });
    const late = Array.from({ length: 9 }, () => paidCall({ ...refused, at: 900, ms: 700 }));
    const found = (faults: (typeof fault)[]) =>
      invariantsOf(checkSlowCalls(historyOf({ faults, calls: late })));
    expect([found([fault]), found([fault, freeze])]).toEqual([['R20'], []]);
  });

  it('finds that more than a tenth is refused, and leaves out what was before (R20)', () => {
    expect(seen(refused, refused)).toEqual([]);
    expect(seen(refused, refused, refused)).toEqual(['R20']);
    expect(seen(...Array(9).fill({ ...refused, at: 400 }))).toEqual([]);
  });
});
