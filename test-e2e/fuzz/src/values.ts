import fc from 'fast-check';
import { CANARY } from './request.ts';

const VERY_LONG = 6_000;

const strange = [
  '',
  ' ',
  ' 5',
  '5 ',
  '+5',
  '-0',
  '-1',
  '1e2',
  '0x10',
  '0b1',
  '9e99',
  '1_000',
  '5.0',
  '٥',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'TRUE',
  'True',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\0',
  'dQw4w9WgXcQ\0',
  'dQw4w9WgXcQ\n',
  '\r\nX-Injected: yes',
  '\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  '\u2028',
  '\u202eabc',
  '\u0130',
  'ａ＠ｅｘ.com',
  'a@b\r\nBcc: c@d.example',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦',
  '\ufeff',
  "' OR 1=1 --",
  "'; DROP TABLE operations; --",
  '$1',
  '%s%n',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '..%2f..%2f',
  '=HYPERLINK("x")',
  '1970-01-01',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '-271821-04-20',
  '2026-01-01T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9007199254740993',
  '99999999999999999999999999',
  'https://user:pass@169.254.169.254/latest',
  'javascript:alert(1)',
  'http://[::1',
  'x-default',
  'i-klingon',
  'a-DE',
  'en-'.repeat(12),
  CANARY,
];

/** Text that no field was made for. */
export const strangeText: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...strange) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a', '0', '\u00e9', '(', ' ')
      .map((unit) => unit.repeat(VERY_LONG / unit.length)),
  },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
);

const garbage = [
  '%',
  '%2',
  '%zz',
  '%00',
  '%0d%0aX-Injected:%20yes',
  '%C0%80',
  '%ED%A0%80',
  '%FF%FE',
  '%u0041',
  '%25%30%30',
  '+',
  '&',
  '=',
  '==',
  '[]',
  ';',
];

/** As it stands in a URL: encoded well, or not at all. */
export const encodedText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: strangeText.map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 2, arbitrary: fc.constantFrom(...garbage) },
  { weight: 1, arbitrary: fc.constantFrom(...garbage).map((text) => `dQw4w9WgXcQ${text}`) },
);

/** Any JSON value, with the names that objects inherit and the strings that databases refuse. */
export const strangeJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: strangeText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      null,
      true,
      false,
      0,
      -0,
      -1,
      1.5,
      1e21,
      2 ** 53,
      [],
      {},
      [[]],
      '\ud800',
      'x\u0000y',
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ __proto__: null }, { toString: 1 }, { length: -1 }, [null, null]),
  },
);
