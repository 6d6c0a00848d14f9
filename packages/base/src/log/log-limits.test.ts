import { describe, expect, it } from '@jest/globals';
import { writeLog } from './test-support/written-line.ts';

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

  it('hostile text costs linear time', () => {
    const attacks = [
      '://',
      '://a:',
      'a@a.',
      'password=',
      'bearer ',
      '@',
      'code ',
      '.a@',
      '"cookie":"',
      'a-token',
    ];
    for (const attack of attacks) {
      const text = attack.repeat(Math.ceil(100_000 / attack.length));
      const started = performance.now();
      writeLog('x', { text, [text.slice(0, 20_000)]: 1 });
      expect({ attack, isQuick: performance.now() - started < 500 }).toEqual({ attack, isQuick: true });
    }
  });

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
