import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { outcomeOf } from '../domain/replies.ts';
import { findBlocks, readGrantedBlocks } from '../store/blocks.ts';

export const grantPurchases = onCommand(
  creditsLedger.grantPurchases,
  async ({ ledger }: Deps, { purchases }, { requestId, record }) => {
    const outcomes = (await ledger.grantPurchases({ purchases, requestId })).map(({ outcome }) => outcome);
    record.add({ purchases: purchases.length, refs: purchases.map(({ ref }) => ref), grants: outcomes });
    return { outcomes };
  },
);

export const lookUpGrants = onCommand(creditsLedger.lookUpGrants, async ({ sql }: Deps, { refs }) => ({
  rows: await findBlocks(sql, refs),
}));

export const listGrants = onCommand(creditsLedger.listGrants, async ({ sql }: Deps, request) => ({
  rows: await readGrantedBlocks(sql, request),
}));

export const takeBackBlock = onCommand(
  creditsLedger.takeBackBlock,
  async ({ ledger }: Deps, request, { requestId, record }) => {
    const answer = await ledger.takeBackBlock({ ...request, requestId });
    record.add({ ref: request.ref, block: answer.outcome });
    return { outcome: outcomeOf(answer) };
  },
);

export const correctBlock = onCommand(
  creditsLedger.correctBlock,
  async ({ ledger }: Deps, request, { requestId, record }) => {
    const answer = await ledger.correctBlock({ ...request, requestId });
    record.add({ ref: request.ref, net: request.net, block: answer.outcome });
    return { outcome: outcomeOf(answer) };
  },
);
