import { type RequestOf, serviceError, type transcriptFetcher, utcDay } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import {
  type PoolName,
  poolRefusal,
  poolsOf,
  type Scope,
  scopeRefusal,
  scopesOf,
} from '../domain/cold-caps.ts';
import { uncount } from '../store/cold-counts.ts';
import type { Tx } from '../store/database.ts';
import { openOperation } from '../store/open-operation.ts';
import type { ColdPools } from './cold-pool.ts';

export type AdmittedCold = {
  readonly id: string;
  readonly isNew: boolean;
  /** Takes back that the operation was counted, in the transaction that ends it before it began; then `returnPlaces`. */
  uncount(tx: Tx): Promise<void>;
  returnPlaces(): void;
};

type Places = { readonly missing: PoolName | null; giveBack(): void };

const takePlaces = async (pools: ColdPools, names: readonly PoolName[], day: string): Promise<Places> => {
  const taken: PoolName[] = [];
  const giveBack = () => {
    for (const name of taken.splice(0)) pools[name].giveBack(day);
  };
  for (const name of names) {
    if (await pools[name].take(day)) taken.push(name);
    else {
      giveBack();
      return { missing: name, giveBack };
    }
  }
  return { missing: null, giveBack };
};

/**
 * Opens the operation of a cold fetch where every daily cap has room for it, or joins the account's open one for the same
 * track; null where the cache may have an answer, unless it was found to have none. Nothing is ever admitted beyond a cap.
 * Throws `account_age_ramp`, `cold_fetch_cap`, `free_pool_cap` and `global_cold_cap`, having changed nothing.
 */
export async function admitCold(
  { sql, pools, limits, clock }: Deps,
  request: RequestOf<typeof transcriptFetcher.getTranscript>,
  { unlessKnown }: { readonly unlessKnown: boolean },
): Promise<AdmittedCold | null> {
  const now = clock();
  const day = utcDay(now);
  const scopes = scopesOf(request, now, limits);
  const places = await takePlaces(pools, poolsOf(request.tier), day);
  // Where this throws, nobody knows whether the operation is open: its places stay taken.
  const opened = await openOperation(
    sql,
    { ...request, id: request.requestId },
    { day, scopes, hasPlace: places.missing === null, unlessKnown },
  );
  if (opened.kind !== 'opened') places.giveBack();
  if (opened.kind === 'known') return null;
  // Nobody hears this answer: the caller has had another.
  if (opened.kind === 'disowned') throw serviceError('service_unavailable');
  if (opened.kind === 'refused') throw refusalOf(opened.scope, scopes, places.missing, now);
  return {
    id: opened.id,
    isNew: opened.kind === 'opened',
    uncount: (tx) =>
      uncount(
        tx,
        scopes.map(({ name }) => name),
        day,
      ),
    returnPlaces: places.giveBack,
  };
}

const refusalOf = (
  full: string | null,
  scopes: readonly Scope[],
  missing: PoolName | null,
  now: Date,
): Error => {
  const scope = scopes.find(({ name }) => name === full);
  if (scope) return scopeRefusal(scope, now);
  if (missing) return poolRefusal(missing, now);
  return new Error(`nothing is known of the full scope ${full}`);
};
