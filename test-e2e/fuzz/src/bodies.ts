import type { Fields } from '@tds/http-api';
import fc from 'fast-check';
import { goodValues, isOptional } from './good-values.ts';
import { CANARY, type Long } from './request.ts';
import { strangeJson } from './values.ts';

type Body = string | Long | null;

const DEEP = 10_000;
const KIB = 1_024;

const absent = Symbol('absent');

const value = (fields: Fields, name: string): fc.Arbitrary<unknown> => {
  const values = goodValues(fields, name);
  const right = values.length === 0 ? fc.constant('x') : fc.constantFrom(...values);
  return fc.oneof(
    { weight: 6, arbitrary: isOptional(fields, name) ? fc.constant(absent) : right },
    { weight: 6, arbitrary: right },
    { weight: 6, arbitrary: strangeJson },
    { weight: 1, arbitrary: fc.constant(absent) },
  );
};

/** JSON with every field of the row right, wrong or missing; as text, so that a field can come twice. */
const object = (fields: Fields): fc.Arbitrary<string> => {
  const names = Object.keys(fields);
  const extra = fc.constantFrom(
    ...[
      '',
      '',
      '',
      `"secret":"${CANARY}"`,
      '"__proto__":{"tier":"paid"}',
      '"constructor":{}',
      '"accountId":"1"',
    ],
    ...names.map((name) => `${JSON.stringify(name)}:null`),
  );
  return fc.tuple(extra, ...names.map((name) => value(fields, name))).map(([last, ...values]) => {
    const members = values.flatMap((one, index) =>
      one === absent ? [] : [`${JSON.stringify(names[index])}:${JSON.stringify(one) ?? 'null'}`],
    );
    return `{${[...members, ...(last ? [last] : [])].join(',')}}`;
  });
};

const broken = (text: string): readonly Body[] => [
  `\ufeff\ufeff${text}`,
  text.slice(0, -1),
  `${text}${text}`,
  `${text}\0`,
  `[${text}]`,
  JSON.stringify(text),
  text.replaceAll('"', "'"),
  `/* */${text}`,
  `{"a":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  '{"a":'.repeat(DEEP),
  '['.repeat(DEEP),
  'null',
  '""',
  '1e999',
  '{"email":"\\ud800@example.com","name":"\\u0000"}',
  'a=1&b=2',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  '',
  ' ',
];

const long: fc.Arbitrary<Body> = fc.oneof(
  { weight: 30, arbitrary: fc.constant({ unit: 'x', times: 65 * KIB }) },
  { weight: 30, arbitrary: fc.constant({ unit: '{"a":', times: 12 * KIB }) },
  { weight: 10, arbitrary: fc.constant({ unit: ' ', times: 512 * KIB }) },
  { weight: 1, arbitrary: fc.constant({ unit: '0123456789abcdef', times: 11 * 64 * KIB }) },
);

/** The body of a request to a row: mostly JSON in its shape, and everything else that a caller could send. */
export const bodyOf = (fields: Fields | null): fc.Arbitrary<Body> => {
  const json = object(fields ?? {});
  return fc.oneof(
    { weight: fields === null ? 40 : 8, arbitrary: fc.constant<Body>(null) },
    { weight: fields === null ? 4 : 40, arbitrary: json },
    { weight: 8, arbitrary: json.chain((text) => fc.constantFrom(...broken(text))) },
    { weight: 1, arbitrary: long },
  );
};
