import { useQuery } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { accountQuery, jobQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useProgress } from '../api/use-progress.ts';
import { withKey } from '../api/with-key.ts';
import { SPOKEN } from '../languages.ts';
import { Failure } from '../parts/failure.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { credits, hasEnded, jobPauses, videos } from '../words.ts';

/** What one trial reads. */
const NEWEST = 10;

type OnEnd = (delivered: number) => void;

const Fetching = ({ id, onEnd }: { id: string; onEnd: OnEnd }) => {
  const query = useQuery(jobQuery(id));
  const job = query.data?.job;
  const isEnded = job !== undefined && hasEnded(job);
  const delivered = job ? job.counts.cached + job.counts.fetched : 0;
  useProgress(id, isEnded);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it ends
  useEffect(() => {
    if (isEnded) onEnd(delivered);
  }, [isEnded]);
  if (!job) return <ReadState of={query} />;
  return (
    <p role="status">
      {isEnded
        ? `${videos(delivered)} fetched for ${credits(job.credits.charged)}.`
        : `${delivered} of ${videos(job.counts.total)} fetched.`}{' '}
      {job.pause_reason && jobPauses[job.pause_reason]} <Link href={`/jobs/${id}`}>The job</Link>
    </p>
  );
};

/** The way out of a trial on a channel of which nothing was received yet. */
export const FetchNewest = ({ channel, onEnd }: { channel: string; onEnd: OnEnd }) => {
  const { data: account } = useQuery(accountQuery);
  const [once] = useState(() => crypto.randomUUID());
  const available = account?.credits.available ?? NEWEST;
  const newest = Math.min(NEWEST, available);
  const start = useChange({
    change: () => {
      const body = { input: channel, newest, language: SPOKEN, fallback: true };
      return withKey((key) => send<Answer<'createJob', 202>>('POST', '/v1/jobs', { body, once, key }));
    },
    reads: [['jobs', 'list'], accountQuery.queryKey],
  });
  if (start.data) return <Fetching id={start.data.job.id} onEnd={onEnd} />;
  if (newest === 0)
    return (
      <p>
        Fetching its newest takes credits. <Link href="/billing">Buy credits</Link>
      </p>
    );
  return (
    <>
      <p className="row">
        <button
          className="button small"
          type="button"
          disabled={start.isPending}
          onClick={() => start.mutate()}
        >
          {`Fetch its ${newest === 1 ? 'newest video' : `${newest} newest`} for at most ${credits(newest)}, and try`}
        </button>
        {available < NEWEST && <span className="soft">You have {credits(available)}.</span>}
      </p>
      <Failure error={start.error} />
    </>
  );
};
