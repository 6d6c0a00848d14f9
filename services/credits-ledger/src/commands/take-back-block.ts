import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { outcomeOf } from '../domain/block-replies.ts';

export const takeBackBlock = onCommand(
  creditsLedger.takeBackBlock,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, { requestId, record }) => {
    const answer = await ledger.takeBackBlock({ ...request, requestId });
    record.add({ ref: request.ref, block: answer.outcome });
    return { outcome: outcomeOf(answer) };
  },
);
