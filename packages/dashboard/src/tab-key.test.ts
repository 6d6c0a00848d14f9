import { describe, expect, it } from '@jest/globals';
import { isKey, prefixOf } from './tab-key.ts';

describe('a pasted key', () => {
  it.each(['svc_live_abcdefghijk', '  svc_live_abcdefghijk\n'])('is one: %j', (text) => {
    expect(isKey(text)).toBe(true);
  });

  it.each(['', 'svc_live_', 'sk_live_abcdefghijk', 'svc_live_abc defghijk', 'Bearer svc_live_abcdefghijk'])(
    'is none: %j',
    (text) => {
      expect(isKey(text)).toBe(false);
    },
  );

  it('is shown by its prefix only', () => {
    expect(prefixOf('svc_live_abcdefghijk')).toBe('svc_live_abc…');
  });
});
