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
const isAnySlow = async (works: readonly (() => unknown)[]): Promise<boolean> => {
  for (const work of works)
    if ((await leastCpuMs(() => attempt(work), { enoughMs: MAX_MS })) > MAX_MS) return true;
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
