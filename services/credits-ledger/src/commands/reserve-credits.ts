import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { reserveReply } from '../domain/replies.ts';

export const reserveCredits = onCommand(
  creditsLedger.reserveCredits,
  async ({ ledger, buyUrl, now }: Pick<Deps, 'ledger' | 'buyUrl' | 'now'>, request, context) => {
    const { accountId: account_id, ref, amount, keyId: key_id, requestId: request_id, reason } = request;
    const { limitId: limit_id, dailyCreditCap: daily_cap = null, subject = null } = request;
    const answer = await ledger.reserve(
      { account_id, ref, amount, key_id, limit_id, daily_cap, request_id, reason, subject },
      context.signal,
    );
    context.record.add({ ref, amount, reservation: answer.outcome });
    return reserveReply(request, answer, buyUrl, now());
  },
);
