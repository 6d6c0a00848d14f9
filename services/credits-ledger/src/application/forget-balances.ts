import { walk } from '@tds/base';
import { creditsLedger } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Database } from '../store/database.ts';
import type { Surface } from '../surface.ts';

const ACCOUNTS_A_PAGE = 1_000;

type Account = { readonly accountId: string };
type ForgetDeps = { readonly db: Database; readonly projections: Kit<Surface>['projections'] };

/**
 * Removes the balances that Redis shows. A standby that takes over may lack the newest commits: their balances have higher versions than
 * all that follow, so nothing newer would replace them.
 */
export const forgetBalances = async ({ db, projections }: ForgetDeps, signal: AbortSignal) => {
  const find = (after: Account | null) =>
    db.account.findMany({
      select: { accountId: true },
      where: after ? { accountId: { gt: after.accountId } } : {},
      orderBy: { accountId: 'asc' },
      take: ACCOUNTS_A_PAGE,
    });
  const forget = ({ accountId }: Account) => projections.remove(creditsLedger.balance, [accountId]);
  const work = async (page: readonly Account[]): Promise<void> => void (await Promise.all(page.map(forget)));
  await walk(find, work, signal);
};
