import type { Fields } from '@tds/http-api';
import fc from 'fast-check';
import { goodValues, isOptional } from './good-values.ts';
import { CANARY } from './request.ts';
import { encodedText } from './values.ts';

type Pairs = fc.Arbitrary<readonly string[]>;

const good = (fields: Fields, name: string): fc.Arbitrary<string> => {
  const values = goodValues(fields, name);
  return values.length === 0
    ? fc.constant('')
    : fc.constantFrom(...values).map((value) => encodeURIComponent(String(value)));
};

const upperCase = (name: string): string => name.toUpperCase();

/** One parameter: right, wrong, missing, twice, as an array, under another name. */
const parameter = (fields: Fields, name: string): Pairs => {
  const right = good(fields, name);
  const pair = (value: string) => [`${name}=${value}`];
  return fc.oneof(
    { weight: 6, arbitrary: isOptional(fields, name) ? fc.constant([]) : right.map(pair) },
    { weight: 6, arbitrary: right.map(pair) },
    { weight: 5, arbitrary: encodedText.map(pair) },
    { weight: 1, arbitrary: fc.constantFrom([], [name], [`${name}=`], [`=${name}`]) },
    {
      weight: 1,
      arbitrary: fc.tuple(right, encodedText).map(([one, two]) => [`${name}=${one}`, `${name}=${two}`]),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('[]', '[0]', '[__proto__]', '.x', '%5B%5D', '%00', '%20'), right)
        .map(([suffix, value]) => [`${name}${suffix}=${value}`]),
    },
    { weight: 1, arbitrary: right.map((value) => [`${upperCase(name)}=${value}`]) },
  );
};

const keyNames = ['api_key', 'key', 'token', 'apikey', 'access_token', 'API_KEY', 'key[]', 'key%00', '%6bey'];

const strangers: Pairs = fc.oneof(
  { weight: 30, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: encodedText.map((value) => [`x=${value}`]) },
  { weight: 3, arbitrary: encodedText.map((name) => [`${name}=1`]) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('__proto__', 'constructor[prototype]', '__proto__[admin]')
      .map((name) => [`${name}=1`]),
  },
  { weight: 1, arbitrary: fc.constantFrom(...keyNames).map((name) => [`${name}=${CANARY}`]) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 400 }, (_, index) => `p${index}=1`)) },
  { weight: 1, arbitrary: fc.constant(['x={{key}}']) },
);

/** The query string of a row, with its question mark where it has one. */
export const searchOf = (fields: Fields): fc.Arbitrary<string> =>
  fc
    .tuple(...Object.keys(fields).map((name) => parameter(fields, name)), strangers)
    .map((pairs) => pairs.flat())
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
