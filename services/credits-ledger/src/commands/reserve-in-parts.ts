import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { reserveInPartsReply } from '../domain/parts-replies.ts';

export const reserveInParts = onCommand(
  creditsLedger.reserveInParts,
  async ({ ledger, config, now }: Pick<Deps, 'ledger' | 'config' | 'now'>, request, context) => {
    const answer = await ledger.reserveInParts(request);
    const { ref, unit, parts } = request;
    context.record.add({ ref, unit, parts, reservation: answer.outcome });
    return reserveInPartsReply(request, answer, config.buyUrl, now());
  },
);
