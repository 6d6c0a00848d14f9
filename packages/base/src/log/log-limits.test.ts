import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import { writeLog } from './test-support/written-line.ts';

const steps = createStepCounter<string>(new URL('test-support/works.ts', import.meta.url));
afterAll(steps.stop);

describe('what the log survives', () => {
  it('getters, proxies and serialisers that throw do not fail the caller', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const hostile = {
      getter: Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
      proxy: revoked.proxy,
      toJSON: {
        toJSON: () => {
          throw new Error('no');
        },
      },
    };
    expect(JSON.parse(writeLog('x', hostile))).toMatchObject({
      getter: { x: '[unreadable]' },
      proxy: '[unreadable]',
      toJSON: '[unreadable]',
    });
  });

  it('a line stays small whatever is logged', () => {
    const deep = Array.from({ length: 1_000 }).reduce<unknown>((inner) => ({ inner }), 'end');
    const wide = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 'v'.repeat(10_000)]),
    );
    expect(
      writeLog('x', { deep, wide, list: Array(1e6).fill({ a: 1 }), text: 'x'.repeat(1e7) }).length,
    ).toBeLessThan(300_000);
  });

  it.each(['://', '://a:', 'a@a.', 'password=', 'bearer ', '@', 'code ', '.a@', '"cookie":"', 'a-token'])(
    'hostile text costs steps in proportion to its length: %s',
    async (attack) => {
      const [few, many] = [attack.repeat(1_000), attack.repeat(8_000)];
      const limit = 12 * (await steps.count('a logged text', few));
      expect(await steps.count('a logged text', many)).toBeLessThan(limit);
    },
  );

  it('fields cannot forge another line, a level, a time or a service', () => {
    const line = writeLog('one\n{"level":"error"}', {
      level: 'error',
      service: 'other',
      msg: 'x',
      time: 0,
      a: '\n\u2028',
    });
    expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(line.match(/"level":/g)).toHaveLength(1);
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      service: 'test',
      level_: 'error',
      service_: 'other',
    });
  });
});
