import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { createApiKey } from '../secrets.ts';
import { field } from './define-route.ts';
import { parseBody, parseFields, readQuery } from './parse-fields.ts';
import { transcript } from './routes/transcript-routes.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'ok';
};

describe('readQuery', () => {
  it('reads a name once as text, and twice or with brackets as what no rule accepts', () => {
    expect({ ...readQuery('a=1&b=2&b=3&c[]=4&d[x]=5&e=6&e[]=7') }).toEqual({
      a: '1',
      b: ['2', '3'],
      c: ['4'],
      d: ['5'],
      e: ['6', '7'],
    });
  });

  it.each(['api_key=x', 'KEY=x', 'token=', 'key[]=x', 'key[a]=x', '%6bey=x', '+key=x', 'Authorization=x'])(
    'refuses the name in %s',
    (search) => {
      expect(codeOf(() => readQuery(search))).toBe('key_in_query_string');
    },
  );

  it('refuses a key wherever it hides', () => {
    const key = createApiKey();
    for (const search of [
      `x=${key}`,
      `x=a${key.toUpperCase()}`,
      `${key}=1`,
      `x[${key}]=1`,
      `x=%73vc_live_y`,
    ]) {
      expect(codeOf(() => readQuery(search))).toBe('key_in_query_string');
    }
  });

  it.each(['key_id=x', 'keyword=x', 'tokens=x', 'continuation=x'])('lets %s pass', (search) => {
    expect(codeOf(() => readQuery(search))).toBe('ok');
  });
});

describe('parseFields', () => {
  const fields = {
    first: field(z.enum(['a']).optional(), 'invalid_format', ''),
    second: field(z.string(), 'invalid_language', ''),
  };

  it('tells the first broken field in the order of the table', () => {
    expect(codeOf(() => parseFields(fields, { first: 'b' }))).toBe('invalid_format');
    expect(codeOf(() => parseFields(fields, { first: 'a' }))).toBe('invalid_language');
  });

  it('reads own properties only', () => {
    const inherited = { toString: field(z.undefined(), 'invalid_format', '') };
    expect(codeOf(() => parseFields(inherited, {}))).toBe('ok');
  });

  it('gives a result or a code for any query string, never anything else', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('video_id', 'language', 'format', 'raw'), (value, name) => {
        const outcome = codeOf(() =>
          parseFields(transcript.query, readQuery(`${name}=${encodeURIComponent(value.toWellFormed())}`)),
        );
        expect(['ok', `invalid_${name}`, 'key_in_query_string']).toContain(outcome);
      }),
    );
  });
});

describe('parseBody', () => {
  const fields = { name: field(z.string().optional(), 'invalid_key_name', '') };

  it.each(['', '[]', 'null', '1', '"x"', '{', '\ufeff{}', '{"a":1,}'])(
    'refuses %j as invalid_json',
    (text) => {
      expect(codeOf(() => parseBody(fields, text))).toBe('invalid_json');
    },
  );

  it('gives any text a result or a code', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(['ok', 'invalid_json', 'invalid_key_name']).toContain(codeOf(() => parseBody(fields, text)));
      }),
    );
  });
});
