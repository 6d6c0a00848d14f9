import { creditsLedger, type GrantedBlock, MOST_BLOCKS, purchaseRef } from '@tds/contracts';
import { type Context, walk } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout-rules.ts';
import { readUpTo, saveUpTo } from '../store/payment-events.ts';
import { knownIds } from '../store/purchases.ts';

type Needed = Pick<Deps, 'call' | 'db' | 'log'>;
type Range = { readonly olderThanMs: number; readonly youngerThanMs: number };

const HOUR_MS = 3_600_000;
const PREFIX = purchaseRef('');

/** Those that we do not know, the oldest first. */
const unknownOf = async ({ db }: Needed, page: readonly GrantedBlock[]): Promise<GrantedBlock[]> => {
  const idOf = ({ ref }: GrantedBlock) => ref.slice(PREFIX.length);
  const known = await knownIds(db, page.map(idOf));
  return page.filter((block) => !known.has(idOf(block)));
};

/**
 * Looks for what the ledger has granted. What is unknown here was lost with an earlier state of this database: the processor's events
 * are read again from that time on, which brings the purchase back with all that happened to it.
 */
export const lookForLostPurchases = async (deps: Needed, range: Range, context: Context): Promise<void> => {
  const { call, db, log } = deps;
  const asked = { ...range, limit: MOST_BLOCKS };
  const find = async (after: GrantedBlock | null) =>
    (await call(creditsLedger.listGrants, { ...asked, after }, context)).rows;
  const work = async (page: readonly GrantedBlock[]): Promise<void> => {
    const [oldest, ...more] = await unknownOf(deps, page);
    if (!oldest) return;
    log.error('the ledger has purchases that are unknown here', { lost: more.length + 1, ref: oldest.ref });
    const from = later(new Date(oldest.grantedAt), -HOUR_MS);
    const upTo = await readUpTo(db);
    if (upTo && from < upTo) await saveUpTo(db, from);
  };
  await walk(find, work, context.signal);
};
