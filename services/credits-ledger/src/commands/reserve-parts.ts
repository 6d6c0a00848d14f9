import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { reserveReply } from '../domain/replies.ts';

export const reserveParts = onCommand(
  creditsLedger.reserveParts,
  async ({ ledger, config }: Pick<Deps, 'ledger' | 'config'>, request, context) => {
    const answer = await ledger.reserve(request, context.signal);
    const { ref, unit, parts } = request;
    context.record.add({
      ref,
      unit,
      parts: parts.length,
      held: answer.held.length,
      reservation: answer.outcome,
    });
    return reserveReply(ref, answer, config.buyUrl);
  },
);
