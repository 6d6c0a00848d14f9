import { type RawQuery, readQuery } from '@tds/contracts';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 10_000;
/** Of the whole address: what is remembered is a slice of it, which keeps all of it in memory. */
const LONGEST_REMEMBERED = 512;

/** Reads the query string of a URL; what passed once is remembered, for most reads repeat an earlier one. */
export const createQueryReader = (): ((url: string) => RawQuery | null) => {
  const known = new LRUCache<string, RawQuery>({ max: REMEMBERED });
  return (url) => {
    const mark = url.indexOf('?');
    if (mark === -1) return null;
    const search = url.slice(mark + 1);
    const before = known.get(search);
    if (before !== undefined) return before;
    const query = readQuery(search);
    if (url.length <= LONGEST_REMEMBERED) known.set(search, query);
    return query;
  };
};
