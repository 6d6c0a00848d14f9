import {
  CREDITS_PER_TRANSCRIPT,
  type RequestOf,
  serviceError,
  type transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import {
  type PoolName,
  poolRefusal,
  poolsOf,
  type Scope,
  scopeRefusal,
  scopesOf,
} from '../domain/cold-caps.ts';
import type { NewOperation } from '../domain/operation.ts';
import { uncount } from '../store/cold-counts.ts';
import type { Tx } from '../store/database.ts';
import { type Opened, openOperation, openUnlessKnown } from '../store/open-operation.ts';
import { takePermits } from './take-permits.ts';

export type ColdRequest = RequestOf<typeof transcriptFetcher.getTranscript>;

/** An operation that may be worked on. */
export type AdmittedCold = {
  /** `id` is another request's if the account's open operation for the same track was joined. */
  readonly operation: NewOperation & { readonly price: number };
  readonly isNew: boolean;
  /** Takes back that the operation was counted, in the transaction that ends it before it began; then `returnPermits`. */
  uncount(tx: Tx): Promise<void>;
  returnPermits(): Promise<void>;
};

type Admissible = Pick<Deps, 'sql' | 'pools' | 'limits' | 'now'>;

/** What an operation of this request is counted by, and the permits that it takes of the shared pools. */
async function prepare({ pools, limits, now }: Admissible, request: ColdRequest) {
  const at = now();
  const day = utcDay(at);
  const scopes = scopesOf(request, at, limits);
  const permits = await takePermits(pools, poolsOf(request.tier), 1, day);
  return {
    operation: { ...request, id: request.requestId, price: CREDITS_PER_TRANSCRIPT },
    admission: { day, scopes, hasPermits: permits.count === 1 },
    permits,
    at,
  };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

/**
 * Opens the operation of a cold fetch if every daily cap has room for it, or joins the account's open one for the same track.
 * Nothing is ever admitted beyond a cap. Throws `account_age_ramp`, `cold_fetch_cap`, `free_pool_cap` and `global_cold_cap`,
 * having changed nothing.
 */
export async function admitCold(deps: Admissible, request: ColdRequest): Promise<AdmittedCold> {
  const prepared = await prepare(deps, request);
  // If this throws, nobody knows whether the operation is open: its permits stay taken.
  return admitted(prepared, await openOperation(deps.sql, prepared.operation, prepared.admission));
}

/** As `admitCold`; but null, having changed nothing, if the cache may have an answer. */
export async function admitUnlessKnown(deps: Admissible, request: ColdRequest): Promise<AdmittedCold | null> {
  const prepared = await prepare(deps, request);
  const opened = await openUnlessKnown(deps.sql, prepared.operation, prepared.admission);
  if (opened) return admitted(prepared, opened);
  await prepared.permits.giveBack(1);
  return null;
}

async function admitted(
  { operation, admission, permits, at }: Prepared,
  opened: Opened,
): Promise<AdmittedCold> {
  const { day, scopes } = admission;
  if (opened.kind !== 'opened') await permits.giveBack(1);
  // Nobody receives this answer: the caller has had another.
  if (opened.kind === 'disowned') throw serviceError('service_unavailable');
  if (opened.kind === 'refused') throw refusalOf(opened.scope, scopes, permits.missing, at);
  const names = scopes.map(({ name }) => name);
  return {
    operation: { ...operation, id: opened.id },
    isNew: opened.kind === 'opened',
    uncount: (tx) => uncount(tx, names, day),
    returnPermits: () => permits.giveBack(1),
  };
}

const refusalOf = (
  full: string | null,
  scopes: readonly Scope[],
  missing: PoolName | null,
  at: Date,
): Error => {
  const scope = scopes.find(({ name }) => name === full);
  if (scope) return scopeRefusal(scope, at);
  if (missing) return poolRefusal(missing, at);
  return new Error(`nothing is known of the full scope ${full}`);
};
