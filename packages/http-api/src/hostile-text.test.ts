import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '@tds/jest';
import { z } from 'zod';
import { parseBody, parseQuery, readQuery } from './parse-fields.ts';
import { routes, routeTable } from './routes.ts';

const CHARACTERS = 16_000;
const REPEATED = [' ', 'a', 'A', '0', '-', '_', '.', ',', '/', '%', '@', '[', 'é', '\u200b', '😀'];
/** Of one character, and the same with an end that no rule accepts, so that a pattern tries all ways. */
const texts = REPEATED.flatMap((character) => {
  const text = character.repeat(CHARACTERS / character.length);
  return [text, `${text}\u0000`];
});

const readings = 50;
const readAll = () => {
  for (let time = 0; time < readings; time += 1) for (const text of texts) JSON.parse(JSON.stringify(text));
};
const readingMs = (await leastCpuMs(readAll)) / (readings * texts.length);
/** A pattern that is quadratic takes thousands of times as long as reading the text. */
const MAX_MS = 300 * readingMs;
const attempt = (work: () => unknown) => {
  try {
    work();
  } catch {
    // Refused.
  }
};
const isAnySlow = async (works: readonly (() => unknown)[], enoughMs = MAX_MS): Promise<boolean> => {
  for (const work of works) if ((await leastCpuMs(() => attempt(work), { enoughMs })) > enoughMs) return true;
  return false;
};

const given = routeTable.flatMap((row) => [
  ...Object.entries(row.query).map(([name, { schema }]) => ({ where: `${row.id}?${name}`, schema })),
  ...Object.entries(row.body ?? {}).map(([name, { schema }]) => ({ where: `${row.id}.${name}`, schema })),
  ...Object.entries(row.params).map(([name, { schema }]) => ({ where: `${row.id}/${name}`, schema })),
]);

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
  it('costs no field more than a multiple of reading it', async () => {
    const slow: string[] = [];
    for (const { where, schema } of given) {
      const values = texts.flatMap((text) => [text, [text], { [text]: text }]);
      if (await isAnySlow(values.map((value) => () => schema.safeParse(value)))) slow.push(where);
    }
    expect(slow).toEqual([]);
  });

  it('costs no query and no body more than a multiple of reading it, wherever it stands', async () => {
    const slow: string[] = [];
    for (const text of texts) {
      const searches = [text, `a=${text}`, new URLSearchParams({ [text]: text }).toString()];
      const bodies = [text, JSON.stringify({ [text]: text })];
      const works = [
        ...searches.map((search) => () => parseQuery(routes.getTranscript, readQuery(search))),
        ...bodies.map((body) => () => parseBody(routes.createJob.body, body)),
      ];
      if (await isAnySlow(works)) slow.push(text.slice(0, 30));
    }
    expect(slow).toEqual([]);
  });

  it('costs no query more if it is many small pairs', async () => {
    const pairs = ['&', 'a&', 'a=&', '%ff&', 'a=%ff&', 'a[]&', 'a[x]=1&', 'video_id=a&'];
    const numbered = Array.from({ length: CHARACTERS / 8 }, (_, number) => `a${number}=1`).join('&');
    const searches = [...pairs.map((pair) => pair.repeat(CHARACTERS / pair.length)), numbered];
    expect(await isAnySlow(searches.map((search) => () => readQuery(search)))).toBe(false);
    for (const search of searches) expect(() => readQuery(search)).toThrow('at most 50 parameters');
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
    ];
    const slow: string[] = [];
    for (const { id, body } of routeTable)
      for (const name of Object.keys(body ?? {})) {
        const works = values.map((value) => () => parseBody(body ?? {}, JSON.stringify({ [name]: value })));
        // A list of thousands of wrong values has an issue for each.
        if (await isAnySlow(works, 5 * MAX_MS)) slow.push(`${id}.${name}`);
      }
    const marks = ['[', '{"a":', '"', '\\', '[1,', ',', ':'].map((mark) => mark.repeat(64_000 / mark.length));
    for (const text of [...values.map((value) => JSON.stringify(value)), ...marks])
      if (await isAnySlow([() => parseBody(routes.createJob.body, text)])) slow.push(text.slice(0, 30));
    expect(slow).toEqual([]);
  });

  it('is refused by its length before a pattern meets it', () => {
    const late = given.flatMap(({ where, schema }) =>
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
