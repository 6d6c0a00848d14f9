import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { createPublicCallers } from './public-callers.ts';

const start = (perMinute = 3) => {
  const time = { now: 1_000 };
  return { time, callers: createPublicCallers(() => time.now, perMinute) };
};
const code = (work: () => void) => {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as { data: { code: string; retryAfterSeconds?: number } }).data;
  }
};

describe('requests without a credential', () => {
  it('of one network wait when they are many, and delay no other network', () => {
    const { time, callers } = start();
    for (let n = 0; n < 3; n += 1) callers.count('one');
    time.now += 30_000;
    expect(code(() => callers.count('one'))).toMatchObject({ code: 'rate_limit', retryAfterSeconds: 30 });
    callers.count('other');
    time.now += 30_000;
    callers.count('one');
  });

  it('hold a bounded memory of one network and of all, and release it', () => {
    const { callers } = start();
    const MIB = 1_024 * 1_024;
    const share = callers.bodyShare('one');
    share.take(MIB);
    expect(code(() => callers.bodyShare('one').take(1))).toMatchObject({ code: 'rate_limit' });
    const others = Array.from({ length: 15 }, (_, n) => callers.bodyShare(`other ${n}`));
    for (const other of others) other.take(MIB);
    expect(code(() => callers.bodyShare('last').take(1))).toMatchObject({ code: 'rate_limit' });
    share.release();
    callers.bodyShare('one').take(MIB);
  });
});

describe('a refusal with 429', () => {
  it('is repeated from memory until its Retry-After, with what is left of it', () => {
    const { time, callers } = start();
    callers.refusals.keep('a', serviceError('code_locked', { retryAfterSeconds: 900 }));
    time.now += 600_000;
    expect(code(() => callers.refusals.throwRefusal('a'))).toMatchObject({
      code: 'code_locked',
      retryAfterSeconds: 300,
    });
    expect(code(() => callers.refusals.throwRefusal('b'))).toBe('ok');
    time.now += 300_000;
    expect(code(() => callers.refusals.throwRefusal('a'))).toBe('ok');
  });

  it('is the only error that is remembered', () => {
    const { callers } = start();
    callers.refusals.keep('a', serviceError('invalid_code'));
    callers.refusals.keep('a', serviceError('service_unavailable', { retryAfterSeconds: 1 }));
    callers.refusals.keep('a', new Error('any'));
    expect(code(() => callers.refusals.throwRefusal('a'))).toBe('ok');
  });
});
