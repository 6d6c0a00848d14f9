import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import { z } from 'zod';
import { routeTable } from '../routes/index.ts';
import { fields } from '../test-support/works.ts';
import { splitQuery } from './parse-fields.ts';

const CHARACTERS = 16_000;
const REPEATED = [' ', 'a', 'A', '0', '-', '_', '.', ',', '/', '%', '@', '[', 'é', '\u200b', '😀'];
/** Of one character, and the same with an end that no rule accepts, so that a pattern tries all ways. */
const texts = REPEATED.flatMap((character) => {
  const text = character.repeat(CHARACTERS / character.length);
  return [text, `${text}\u0000`];
});

/** Steps for a character: what is quadratic takes thousands. */
const MAX_STEPS = 40;

const steps = createStepCounter<readonly string[]>(new URL('../test-support/works.ts', import.meta.url));
afterAll(steps.stop);

/** For each character of the input. */
const count = async (name: string, ...input: readonly string[]): Promise<number> =>
  (await steps.count(name, input)) / input.join('').length;

type Check = { readonly _zod: { readonly def: { check: string; format?: string; abort?: boolean } } };

/** The schemas inside of a schema, with itself. */
const within = (schema: z.ZodType): z.ZodType[] => {
  const parts: z.ZodType[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof z.ZodType) parts.push(...within(value));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(visit);
  };
  visit(schema.def);
  return [schema, ...parts];
};

describe('a text of 16 KB', () => {
  it('costs no field more than some steps a character', async () => {
    const slow: string[] = [];
    for (const { where } of fields) {
      const n = await count(where, ...texts);
      if (n > MAX_STEPS) slow.push(`${where} ${n}`);
    }
    expect(slow).toEqual([]);
  });

  it('costs no query and no body more than some steps a character, wherever it stands', async () => {
    const slow: string[] = [];
    for (const text of texts) {
      const searches = [text, `a=${text}`, new URLSearchParams({ [text]: text }).toString()];
      const bodies = [text, JSON.stringify({ [text]: text })];
      for (const search of searches) {
        const n = await count('query', search);
        if (n > MAX_STEPS) slow.push(`${search.slice(0, 30)} ${n}`);
      }
      for (const body of bodies) {
        const n = await count('body', body);
        if (n > MAX_STEPS) slow.push(`${body.slice(0, 30)} ${n}`);
      }
    }
    expect(slow).toEqual([]);
  });

  it('costs no query more if it is many small pairs', async () => {
    const pairs = ['&', 'a&', 'a=&', '%ff&', 'a=%ff&', 'a[]&', 'a[x]=1&', 'video_id=a&'];
    const numbered = Array.from({ length: CHARACTERS / 8 }, (_, number) => `a${number}=1`).join('&');
    const searches = [...pairs.map((pair) => pair.repeat(CHARACTERS / pair.length)), numbered];
    for (const search of searches) {
      expect(await count('query', search)).toBeLessThan(MAX_STEPS);
      expect(() => splitQuery(search)).toThrow('at most 50 parameters');
    }
  });

  it('costs no body more if it is many small values, by many names or in a list', async () => {
    const many = (length: number, value: (number: number) => unknown) =>
      Array.from({ length }, (_, n) => value(n));
    const values = [
      ...[
        many(5_000, () => 1),
        many(4_000, String),
        many(4_000, () => ({})),
        many(4_000, () => []),
        'a\\u0000',
      ],
      Object.fromEntries(many(4_000, (number) => [`a${number}`, 1]) as [string, number][]),
    ].map((value) => JSON.stringify(value));
    const bodies = routeTable.reduce((sum, { body }) => sum + Object.keys(body ?? {}).length, 0);
    // A list of thousands of wrong values has an issue for each.
    expect((await count('values', ...values)) / bodies).toBeLessThan(5 * MAX_STEPS);
    const marks = ['[', '{"a":', '"', '\\', '[1,', ',', ':'].map((mark) => mark.repeat(64_000 / mark.length));
    for (const text of [...values, ...marks]) expect(await count('body', text)).toBeLessThan(MAX_STEPS);
  });

  it('is refused by its length before a pattern meets it', () => {
    const late = fields.flatMap(({ where, schema }) =>
      within(schema).flatMap((part) => {
        const checks = ((part.def as { checks?: readonly Check[] }).checks ?? []).map(({ _zod }) => _zod.def);
        const pattern = checks.findIndex(({ format }) => format === 'regex');
        const length = checks.findIndex(({ check }) => check === 'max_length');
        const isLate = pattern !== -1 && length !== -1 && !(length < pattern && checks[length]?.abort);
        return isLate ? [where] : [];
      }),
    );
    expect(late).toEqual([]);
  });
});
