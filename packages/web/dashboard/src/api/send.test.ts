import { describe, expect, it } from '@jest/globals';
import type { ErrorBody } from '@transcript-delivery/sdk';
import { isSignedOut, Refusal, repeatAfter } from './send.ts';

const refusal = (more: Partial<ErrorBody>): Refusal =>
  new Refusal({
    ok: false,
    code: 'service_unavailable',
    retryable: true,
    request_id: 'r',
    ...more,
  } as ErrorBody);

describe('a refused request', () => {
  it('is repeated twice while the service is busy', () => {
    expect([0, 1, 2].map((repeats) => repeatAfter(refusal({ retry_after: 2 }), repeats))).toEqual([2, 2, null]);
    expect(repeatAfter(refusal({}), 0)).toBe(1);
  });

  it.each([{ retryable: false }, { retry_after: 6 }, { request_id: '' }])(
    'is not repeated if it is final, the wait is long, or no answer came: %j',
    (more) => {
      expect(repeatAfter(refusal(more), 0)).toBeNull();
    },
  );

  it.each(['missing_api_key', 'session_required'] as const)(
    'says with %s that the session has ended',
    (code) => {
      expect(isSignedOut(refusal({ code }))).toBe(true);
      expect(isSignedOut(refusal({ code: 'key_limit' }))).toBe(false);
      expect(isSignedOut(new Error('other'))).toBe(false);
    },
  );
});
