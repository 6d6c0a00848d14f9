import { type Route, routes } from '@tds/http-api';
import fc from 'fast-check';
import { encodedText } from './values.ts';

const parameterValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('{{keyId}}') },
  { weight: 1, arbitrary: fc.constantFrom('{{accountId}}', '{{otherAccountId}}') }, // Of the first person, too.
  {
    weight: 1,
    arbitrary: fc.constantFrom('{{otherKeyId}}', '3f0a9a3e-5d0e-4c53-9d57-0a4ff3f5c0de', '{{KEYID}}'),
  },
  { weight: 3, arbitrary: encodedText },
);

const spellings: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1', '/v1/..//v1'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1', '/%2e%2e/v1'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replace('v1', '%76%31'),
  (path) => path.replace('/v1', '/v2'),
  (path) => `${path}%00`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}#fragment`,
  (path) => `http://evil.example${path}`,
  (path) => path.replaceAll('/', '\\'),
  (path) => `${path}${'/a'.repeat(2_000)}`,
  () => '/',
  () => '*',
  () => '/metrics',
  () => '/healthz',
  () => '/ready',
  () => '/.env',
  () => '/v1/__proto__',
  () => '/%',
  () => '//',
  () => '/v1/openapi.json',
  () => '/docs/errors',
];

/** The row's path with its parameters filled in, spelt right for the most part. */
export const arbitraryPath = ({ path }: Pick<Route, 'path'>): fc.Arbitrary<string> => {
  const guessed = parameterValue.map((value) => path.replaceAll(/\{\w+\}/g, () => value));
  const known = path.replaceAll(/\{\w+\}/g, '{$&}');
  const filled = path === routes.readFeed.path ? fc.oneof(guessed, fc.constant(known)) : guessed;
  const spelt = fc.tuple(filled, fc.constantFrom(...spellings)).map(([plain, spell]) => spell(plain));
  return fc.oneof({ weight: 12, arbitrary: filled }, { weight: 1, arbitrary: spelt });
};

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
];

export const methodOf = ({ method }: Pick<Route, 'method'>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom(...methods) },
  );
