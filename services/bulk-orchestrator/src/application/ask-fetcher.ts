import { transcriptFetcher } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { RowInHand } from '../domain/outcomes.ts';
import type { Job } from '../store/jobs.ts';
import type { Ended } from './settle-rows.ts';

/** Asks for these rows of a job, and resolves as soon as some have ended, or after the wait; the others are under way. */
export const askFetcher = async (
  { kit }: Pick<Deps, 'kit'>,
  job: Job,
  rows: readonly RowInHand[],
  waitMs: number,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<Ended[]> => {
  const { accountId, keyId, limitId, tier, language, fallback, format } = job;
  const asked = {
    ...{ accountId, keyId, tier, language, fallback, format, waitMs },
    ...(limitId === null ? {} : { limitId }),
    accountCreatedAt: job.accountCreatedAt.toISOString(),
    rows: rows.map(({ operationId, videoId }) => ({ operationId, videoId })),
  };
  const reply = await kit.call(transcriptFetcher.fetchTranscripts, asked, context);
  const byOperation = new Map(reply.rows.map((outcome) => [outcome.operationId, outcome]));
  return rows.flatMap((row) => {
    const outcome = byOperation.get(row.operationId);
    return outcome ? [{ row, outcome }] : [];
  });
};
