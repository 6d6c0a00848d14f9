import { createDeadline } from '@tds/base';
import { HOPS_MS, type TranscriptAnswer, type TranscriptSelection, transcriptFetcher } from '@tds/contracts';
import type { Input, RouteDeps } from '../serve/index.ts';
import type { ColdRead } from './read-cold.ts';
import type { GetTranscript } from './transcript-answers.ts';

type Requester = Pick<
  Input<GetTranscript>,
  'principal' | 'requestId' | 'callContext' | 'query' | 'idempotencyKey'
>;

/** Only keys reach the route of transcripts, so keyId is never null. */
export const toRequestIds = ({ principal, requestId }: Pick<Requester, 'principal' | 'requestId'>) => ({
  accountId: principal.accountId,
  keyId: principal.keyId as string,
  requestId,
});

export const askFetcher = (
  call: RouteDeps['call'],
  { principal, requestId, callContext, query, idempotencyKey }: Requester,
  selection: TranscriptSelection,
  options: { readonly cacheOnly: boolean; readonly waitMs: number },
): Promise<TranscriptAnswer> => {
  const { tier, dailyCreditCap, accountCreatedAt } = principal;
  const limitId = principal.limitId as string;
  const caller = {
    ...toRequestIds({ principal, requestId }),
    limitId,
    tier,
    dailyCreditCap,
    accountCreatedAt,
  };
  const refresh = query.refresh ? { refresh: idempotencyKey ?? requestId } : {};
  return call(
    transcriptFetcher.getTranscript,
    { ...selection, ...caller, ...options, ...refresh },
    callContext,
  );
};

/** Calls with a deadline that leaves time for the hops around the wait. */
const callWithin = async (
  waitMs: number,
  { callContext }: Requester,
  send: (context: Requester['callContext']) => Promise<TranscriptAnswer>,
): Promise<TranscriptAnswer> => {
  using deadline = createDeadline(waitMs + HOPS_MS, callContext.signal);
  return await send({ ...callContext, signal: deadline.signal });
};

/** How the work of a cold read is started and polled. */
export const createColdRead = (
  call: RouteDeps['call'],
  requester: Requester,
  selection: TranscriptSelection,
): ColdRead => {
  const { accountId } = requester.principal;
  const { format } = selection;
  return {
    requestId: requester.requestId,
    start: (waitMs) =>
      callWithin(waitMs, requester, (callContext) =>
        askFetcher(call, { ...requester, callContext }, selection, { cacheOnly: false, waitMs }),
      ),
    poll: (requestId, waitMs) =>
      callWithin(waitMs, requester, (callContext) =>
        call(transcriptFetcher.pollRequest, { accountId, requestId, format, waitMs }, callContext),
      ),
  };
};
