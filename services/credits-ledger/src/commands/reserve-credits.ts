import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { reserveReply } from '../domain/replies.ts';

export const reserveCredits = onCommand(
  creditsLedger.reserveCredits,
  async ({ ledger, config, now }: Pick<Deps, 'ledger' | 'config' | 'now'>, request, context) => {
    const { ref, amount, dailyCreditCap = null, subject = null } = request;
    const answer = await ledger.reserve({ ...request, dailyCreditCap, subject }, context.signal);
    context.record.add({ ref, amount, reservation: answer.outcome });
    return reserveReply(request, answer, config.buyUrl, now());
  },
);
