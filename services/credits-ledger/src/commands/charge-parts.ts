import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { chargeReply } from '../domain/replies.ts';

export const chargeParts = onCommand(
  creditsLedger.chargeParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, context) => {
    const { ref, unit, parts } = request;
    const answer = await ledger.charge(request);
    context.record.add({ ref, unit, parts: parts.length, charge: answer.outcome });
    return chargeReply(ref, answer);
  },
);
