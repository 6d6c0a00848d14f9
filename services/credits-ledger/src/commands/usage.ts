import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { balanceReply } from '../domain/replies.ts';
import { assertFits, MAX_USAGE_ROWS, sumDay } from '../domain/usage.ts';
import { readRefillStates, setMailThreshold as saveMailThreshold } from '../store/accounts.ts';
import { readSpending } from '../store/blocks.ts';
import { readPage } from '../store/entries.ts';
import { filterKeys, withCauses } from '../store/people.ts';
import { addUsage, isKnownKey, readUsage } from '../store/usage.ts';

export const getBalance = onCommand(
  creditsLedger.getBalance,
  async ({ ledger, config }: Deps, { accountId }) => {
    const answer = await ledger.balance(accountId);
    const { debt, mailThreshold } = answer;
    return { ...balanceReply(answer), debt, mailThreshold, buyUrl: config.buyUrl };
  },
);

export const setMailThreshold = onCommand(
  creditsLedger.setMailThreshold,
  async ({ db, messaging }: Deps, request) => {
    // It may emit at once.
    await messaging.transaction(db, (tx) => saveMailThreshold(tx, request));
    return {};
  },
);

export const lookUpRefills = onCommand(creditsLedger.lookUpRefills, async ({ sql }: Deps, { accountIds }) => ({
  rows: await readRefillStates(sql, accountIds),
}));

export const getSpending = onCommand(creditsLedger.getSpending, async ({ sql }: Deps, { accountId }) => ({
  spent: await readSpending(sql, accountId),
}));

export const getDayUsage = onCommand(creditsLedger.getDayUsage, async ({ db }: Deps, { accountId, day }) => {
  const rows = await readUsage(db, { accountId, keyIds: null, from: day, to: day }, MAX_USAGE_ROWS + 1);
  assertFits(rows);
  return sumDay(rows);
});

export const getUsage = onCommand(creditsLedger.getUsage, async ({ db }: Deps, request) => {
  const keyIds = await filterKeys(db, request);
  const rows = await readUsage(db, { ...request, keyIds }, MAX_USAGE_ROWS + 1);
  assertFits(rows);
  return { rows: await withCauses(db, rows), isKnownKey: await isKnownKey(db, request, rows.length) };
});

export const getLedger = onCommand(creditsLedger.getLedger, async ({ db, sql }: Deps, request) => {
  const page = await readPage(sql, { ...request, keyIds: await filterKeys(db, request) });
  return {
    ...page,
    rows: await withCauses(db, page.rows),
    isKnownKey: await isKnownKey(db, request, page.total),
  };
});

export const recordUsage = onCommand(
  creditsLedger.recordUsage,
  async ({ db }: Deps, { id, items }, context) => {
    const isNew = await addUsage(db, id, items);
    context.record.add({ batch: id, items: items.length, isNew });
    return { isNew };
  },
);
