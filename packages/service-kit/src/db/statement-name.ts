import { createHash } from 'node:crypto';

/** Beyond these, statements that are put together at run time (lists of any length) would fill the servers' memory. */
const MOST_NAMED = 500;
/** Postgres cuts names at 63 characters. */
const NAME_LENGTH = 32;

const NO_NAME = '';

type Statement = { readonly sql: string };

/**
 * Names statements by their text, so that a connection has each of them parsed and planned once. For Prisma's adapter,
 * which otherwise has the server do both at every query. A migration must not change the columns of a statement that is
 * in use: connections that know it would refuse it until they are replaced.
 */
export const createStatementNames = (mostNamed = MOST_NAMED): ((statement: Statement) => string) => {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= mostNamed) return NO_NAME;
    const name = createHash('sha256').update(sql).digest('hex').slice(0, NAME_LENGTH);
    names.set(sql, name);
    return name;
  };
};
