import { serviceError } from '@tds/errors';
import leven from 'leven';
import type { Fields } from '../define-route.ts';

/** Names have no digits: any other text in the place of a name may be a secret, and is not shown again. */
const showable = /^[a-z_-]{1,40}$/i;
export const isShowable = (name: string): boolean => showable.test(name);
/** Of the longer name's letters, how many may differ: `daily_cap` is `daily_credit_cap`, `x` is nothing. */
const MAX_DISTANCE = 0.6;

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

const distance = (one: string, other: string): number => {
  const [short, long] = [plain(one), plain(other)];
  return leven(short, long) / Math.max(short.length, long.length, 1);
};

/** The nearest known name; undefined if none is similar. */
export const nearestName = (name: string, names: readonly string[]): string | undefined =>
  names
    .map((other) => ({ other, far: distance(name, other) }))
    .filter(({ far }) => far <= MAX_DISTANCE)
    .sort((one, two) => one.far - two.far)[0]?.other;

const advice = (name: string, names: readonly string[]): string => {
  if (names.length === 0) return 'None is taken here.';
  const near = nearestName(name, names);
  const list = `Known are ${names.join(', ')}.`;
  return near === undefined ? list : `Did you mean ${near}? ${list}`;
};

const fromQuery = (name: string, { query, body }: Names): string =>
  body !== null && Object.hasOwn(body, name)
    ? `${name} is a field of the JSON body, not of the query.`
    : `There is no query parameter ${name}. ${advice(name, Object.keys(query))}`;

type Names = { readonly query: Fields; readonly body: Fields | null };

const refuseUnknown = (fields: Fields, values: object, messageFor: (name: string) => string): void => {
  const unknownName = Object.keys(values).find((name) => !Object.hasOwn(fields, name));
  if (unknownName === undefined) return;
  throw serviceError(
    'unknown_parameter',
    showable.test(unknownName) ? { message: messageFor(unknownName) } : {},
  );
};

/** Throws `unknown_parameter`, which names the first parameter that the row does not have, and the nearest that it has. */
export const refuseUnknownParameters = (row: Names, values: object): void =>
  refuseUnknown(row.query, values, (name) => fromQuery(name, row));

/** The same for the fields of a body or the arguments of a tool call. */
export const refuseUnknownFields = (what: 'body field' | 'argument', fields: Fields, values: object): void =>
  refuseUnknown(fields, values, (name) => `There is no ${what} ${name}. ${advice(name, Object.keys(fields))}`);
