import { describe, expect, it } from '@jest/globals';
import { readFormat, readRange } from './usage.ts';

const now = new Date('2028-03-01T23:59:59.999Z');
const codeOf = (work: () => unknown): string => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the requested days', () => {
  it.each([
    [{}, { from: '2028-02-01', to: '2028-03-01' }],
    [{ from: '2028-02-29' }, { from: '2028-02-29', to: '2028-03-01' }],
    [{ to: '2027-03-01' }, { from: '2027-01-31', to: '2027-03-01' }],
    [{ to: '1970-01-02' }, { from: '1970-01-01', to: '1970-01-02' }],
    [
      { from: '2028-01-01', to: '2028-12-31' },
      { from: '2028-01-01', to: '2028-12-31' },
    ],
    [
      { from: '2028-03-01', to: '2028-03-01' },
      { from: '2028-03-01', to: '2028-03-01' },
    ],
  ])('by %j are %j', (query, range) => {
    expect(readRange(query, now)).toEqual(range);
  });

  it.each([
    [{ from: '2028-03-02', to: '2028-03-01' }, 'invalid_usage_range'],
    [{ from: '2028-03-02' }, 'invalid_usage_range'],
    [{ from: '2027-01-01', to: '2028-01-02' }, 'usage_range_too_large'],
    [{ from: '2027-02-28' }, 'usage_range_too_large'],
  ])('cannot be %j', (query, code) => {
    expect(codeOf(() => readRange(query, now))).toBe(code);
  });
});

it.each([
  [undefined, 'json', '"json"'],
  [undefined, 'csv', '"csv"'],
  [undefined, 'CSV', 'invalid_usage_format'],
  [undefined, '', 'invalid_usage_format'],
  ['ledger', 'json', '"json"'],
  ['ledger', 'csv', 'invalid_ledger_format'],
  ['ledger', 'xml', 'invalid_ledger_format'],
] as const)('of %s the format %j is %s', (resource, format, expected) => {
  expect(codeOf(() => readFormat({ resource, format }))).toBe(expected);
});
