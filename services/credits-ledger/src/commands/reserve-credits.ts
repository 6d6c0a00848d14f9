import type { reserveCredits as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { reserveReply } from '../domain/replies.ts';

type Request = RequestOf<typeof contract>;

export const reserveCredits =
  ({ ledger, buyUrl, now }: Pick<Deps, 'ledger' | 'buyUrl' | 'now'>) =>
  async (request: Request, context: Context): Promise<ReplyOf<typeof contract>> => {
    const { accountId: account_id, ref, amount, keyId: key_id, requestId: request_id, reason } = request;
    const { limitId: limit_id, dailyCreditCap: daily_cap = null, subject = null } = request;
    const answer = await ledger.reserve(
      { account_id, ref, amount, key_id, limit_id, daily_cap, request_id, reason, subject },
      context.signal,
    );
    context.record.add({ ref, amount, reservation: answer.outcome });
    return reserveReply(request, answer, buyUrl, now());
  };
