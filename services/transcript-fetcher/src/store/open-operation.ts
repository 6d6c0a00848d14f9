import { type Sql, sqlState } from '@tds/service-kit';
import type { NewOperation } from './operations.ts';

export type Admission = {
  /** The UTC day on which it counts. */
  readonly day: string;
  readonly scopes: readonly { readonly name: string; readonly most: number }[];
  /** Whether the caller holds a place in every shared pool that it needs. */
  readonly hasPlace: boolean;
  /** Opens nothing where the cache may have an answer. */
  readonly unlessKnown: boolean;
};

export type Opened =
  | { readonly kind: 'opened' | 'joined'; readonly id: string }
  | { readonly kind: 'known' }
  /** Its gateway has given it up before it came here. */
  | { readonly kind: 'disowned' }
  /** The scope that is full; null where only a place in a pool is missing. */
  | { readonly kind: 'refused'; readonly scope: string | null };

type Row = { opened_id: string | null; is_new: boolean | null; refused: string | null };

const statement = (name: string, call: string) => ({
  name,
  text: `SELECT opened_id, is_new, refused FROM ${call}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});
/** Another row has the request's id: one that was put there because the request was disowned. */
const UNIQUE_VIOLATION = '23505';

const OPEN = statement('open-operation', 'open_operation');
const OPEN_UNLESS_KNOWN = statement('open-unless-known', 'open_unless_known');

/**
 * Opens an operation and counts it, in one statement; or answers the account's open one for the same track, which
 * counts nowhere; or changes nothing, because something is known of the track, a scope is full, or the request is disowned.
 */
export async function openOperation(sql: Sql, given: NewOperation, admission: Admission): Promise<Opened> {
  const { day, scopes, hasPlace, unlessKnown } = admission;
  const values = [
    ...[given.id, given.accountId, given.keyId, given.videoId, given.language, given.fallback, given.format],
    ...[day, scopes.map(({ name }) => name), scopes.map(({ most }) => most), hasPlace],
  ];
  const rows = await sql<Row>(unlessKnown ? OPEN_UNLESS_KNOWN : OPEN, values).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return null;
    throw error;
  });
  if (rows === null) return { kind: 'disowned' };
  const [row] = rows;
  if (!row) throw new Error('open_operation answered no row');
  const { opened_id: id, is_new: isNew, refused } = row;
  if (id !== null) return { kind: isNew ? 'opened' : 'joined', id };
  if (refused === 'known') return { kind: 'known' };
  return { kind: 'refused', scope: refused === 'pool' ? null : refused };
}
