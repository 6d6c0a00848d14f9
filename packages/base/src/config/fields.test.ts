import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import {
  baseUrl,
  booleanFlag,
  commaSeparated,
  durationMs,
  keyRing,
  port,
  secret,
  secretUrl,
  url,
  wholeNumber,
} from './fields.ts';

const problemOf = (field: z.ZodType, text: string): string =>
  field.safeParse(text).error?.issues[0]?.message ?? 'accepted';

describe('a list', () => {
  it.each([
    ['a,b', ['a', 'b']],
    [' a ,\tb\n', ['a', 'b']],
    ['a,,b,', ['a', 'b']],
    [' , ', []],
  ])('%j is %j', (text, entries) => {
    expect(commaSeparated().parse(text)).toEqual(entries);
  });
});

describe('a URL', () => {
  it('may be of any kind if none is named', () => {
    expect(url().parse('nats://127.0.0.1:4222')).toBe('nats://127.0.0.1:4222');
    expect(problemOf(url(), 'no url')).toBe('expected a URL');
  });

  it.each(['ftp://files.example', 'https:', 'http//plain.example', 'httpsx://plain.example'])(
    '%j is none for a browser',
    (text) => {
      expect(problemOf(url('http', 'https'), text)).toBe('expected a URL that starts with http:// or https://');
    },
  );

  it('to which paths are appended has no slash at its end', () => {
    const parse = (text: string) => baseUrl('https').parse(text);
    expect([parse('https://api.example//'), parse('https://api.example/base')]).toEqual([
      'https://api.example',
      'https://api.example/base',
    ]);
  });

  it('with credentials hides them when it is printed', () => {
    const parsed = secretUrl('postgres').parse('postgres://ledger:hunter2@db/ledger');
    expect(inspect(parsed) + JSON.stringify({ parsed }) + String(parsed)).not.toContain('hunter2');
    expect(parsed.reveal()).toBe('postgres://ledger:hunter2@db/ledger');
  });
});

describe('a port', () => {
  it.each([0, 1, 8_080, 65_535])('%i is one', (number) => {
    expect(port().parse(String(number))).toBe(number);
  });

  it.each(['65536', '-1', '80.5', '0x50', ' 80', '', '1e3', '100000'])('%j is none', (text) => {
    expect(problemOf(port(), text)).toBe('expected a port from 0 to 65535');
  });
});

describe('a whole number', () => {
  it('is any from 0 on if no bounds are named', () => {
    expect(wholeNumber().parse('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(problemOf(wholeNumber(), '-1')).toContain('expected a whole number from 0 to');
  });

  it('may be negative if the bounds allow it, and includes both bounds', () => {
    const field = wholeNumber({ min: -1, max: 3 });
    expect(['-1', '3'].map((text) => field.parse(text))).toEqual([-1, 3]);
    for (const text of ['-2', '4']) expect(problemOf(field, text)).toContain('from -1 to 3');
  });

  it.each(['', '1.0', '1e2', '0x1', '١', '+1', ' 1', '99999999999999999'])('%j is none', (text) => {
    expect(problemOf(wholeNumber(), text)).toContain('expected a whole number');
  });
});

describe('a flag', () => {
  it.each(['true', '1', 'yes', 'on', 'TRUE', 'Yes'])('%j is on', (text) => {
    expect(booleanFlag().parse(text)).toBe(true);
  });

  it.each(['false', '0', 'no', 'off', 'OFF'])('%j is off', (text) => {
    expect(booleanFlag().parse(text)).toBe(false);
  });

  it.each(['2', 'y', 'enabled', 'null', 'truefalse'])('%j is neither, and is not guessed', (text) => {
    expect(problemOf(booleanFlag(), text)).toBe('expected true or false');
  });
});

describe('a duration', () => {
  it('is the same whichever unit it is written in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000 }), (hours) => {
        const written = [
          `${hours}h`,
          `${hours * 60}m`,
          `${hours * 3_600}s`,
          `${hours * 3_600_000}ms`,
          `${hours * 3_600_000}`,
        ];
        expect(written.map((text) => durationMs().parse(text))).toEqual(written.map(() => hours * 3_600_000));
      }),
    );
  });
});

describe('a secret', () => {
  it('is refused with how long it has to be, and never quoted', () => {
    expect(problemOf(secret({ minLength: 16 }), 'hunter2')).toBe('expected at least 16 characters');
    expect(problemOf(secret(), '')).toBe('expected at least 1 characters');
  });
});

describe('a key ring', () => {
  it('is refused without quoting any of its secrets', () => {
    const problem = problemOf(keyRing(), `a:${'hunter2'.repeat(8)}, b:short`);
    expect(problem).toContain('expected id:secret for each key');
    expect(problem).not.toContain('hunter2');
  });

  it('takes secrets that hold a colon as they are', () => {
    const [one, other] = [`a:${'x:'.repeat(16)}`, `a:${'x:'.repeat(15)}xy`].map((text) =>
      keyRing().parse(text).forUse('tests'),
    );
    expect(one?.check('text', other?.sign('text') ?? '')).toBe('wrong');
  });
});
