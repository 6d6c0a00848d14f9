import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { outcomeOf } from '../domain/block-replies.ts';

export const correctBlock = onCommand(
  creditsLedger.correctBlock,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, { requestId, record }) => {
    const answer = await ledger.correctBlock({ ...request, requestId });
    record.add({ ref: request.ref, standing: request.standing, block: answer.outcome });
    return { outcome: outcomeOf(answer) };
  },
);
