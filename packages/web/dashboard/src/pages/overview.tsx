import { useQuery } from '@tanstack/react-query';
import type { Account, JobSummary, Webhook } from '@transcript-delivery/sdk';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import {
  accountQuery,
  jobsQuery,
  matchesQuery,
  monitorsQuery,
  usageQuery,
  webhookQuery,
} from '../api/queries.ts';
import { useRole } from '../api/use-role.ts';
import { JobTable } from '../parts/job-table.tsx';
import { Matches } from '../parts/matches.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { Time } from '../parts/time.tsx';
import { UsageBars } from '../plots/usage-bars.tsx';
import { dayOf, daysBefore, daysFrom } from '../steps.ts';
import { credits, jobName, jobPauses, number } from '../words.ts';

const DAYS = 30;
const FEW = 'limit=5';
/** Pauses that do not end without the customer. */
const NEEDS_HAND = ['insufficient_credits', 'key_revoked', 'account_frozen'];

const Banner = ({ children }: { children: ReactNode }) => (
  <p className="banner" role="status">
    {children}
  </p>
);

type BannersProps = { account: Account; webhook: Webhook | null; jobs: readonly JobSummary[] };

/** Only what waits for the customer, each with its next step. */
const Banners = ({ account, webhook, jobs }: BannersProps) => (
  <>
    {account.account.status === 'frozen' && (
      <Banner>
        The account is frozen: nothing new is fetched. Write to{' '}
        <a href={`mailto:${account.support_email}`}>{account.support_email}</a>.
      </Banner>
    )}
    {account.credits.debt > 0 && (
      <Banner>
        The account owes {credits(account.credits.debt)}; the next block repays them.{' '}
        <Link href="/billing">Buy credits</Link>
      </Banner>
    )}
    {webhook && !webhook.enabled && (
      <Banner>
        The webhook is disabled: its receiver has failed for days. Repair it, then save it again.{' '}
        <Link href="/webhooks">Webhooks</Link>
      </Banner>
    )}
    {jobs
      .filter(({ pause_reason }) => pause_reason && NEEDS_HAND.includes(pause_reason))
      .map((job) => (
        <Banner key={job.id}>
          <Link href={`/jobs/${job.id}`}>
            <bdi>{jobName(job)}</bdi>
          </Link>{' '}
          is paused. {job.pause_reason && jobPauses[job.pause_reason]}
        </Banner>
      ))}
  </>
);

const Figures = ({ account: { credits: balance, usage_today, limits } }: { account: Account }) => (
  <dl className="figures-row">
    <Figure
      name="Available credits"
      value={number(balance.available)}
      note={`${number(balance.free)} free and ${number(balance.purchased)} bought`}
    />
    <Figure name="Reserved" value={number(balance.reserved)} note="For running jobs" />
    <Figure
      name="Charged today"
      value={number(usage_today.credits_charged)}
      note={`${number(usage_today.cache_hits)} cached reads were free`}
    />
    <Figure
      name="Requests today"
      value={number(usage_today.requests)}
      note={`Up to ${number(limits.requests_per_minute)} a minute with each key`}
    />
  </dl>
);

/** In place of a chart without bars. */
const FirstSteps = () => (
  <Box title="First steps">
    <ol className="first-steps">
      <li>
        <Link href="/read">Read a transcript</Link> of any video here, search in it, and quote it.
      </li>
      <li>
        <Link href="/jobs/new">Start a job</Link> with the address of a channel, a playlist or some videos, and
        take the transcripts as a ZIP.
      </li>
      <li>
        <a href="/docs/curl">Send your first request</a> with a key: <Link href="/keys">create one</Link>.
      </li>
      <li>
        <Link href="/monitors">Watch a channel</Link>: a monitor finds its new videos.
      </li>
    </ol>
  </Box>
);

const SHOWN = 3;

/** The newest of all, once there are monitors that look for words. */
const LatestMatches = () => {
  const all = useQuery(monitorsQuery);
  const isWatching = all.data?.monitors.some(({ words }) => words.length > 0) === true;
  const found = useQuery({ ...matchesQuery('limit=30'), enabled: isWatching });
  if (!isWatching) return <ReadState of={all} />;
  return (
    <Box title="Latest matches" actions={<Link href="/matches">All matches</Link>}>
      <ReadState of={found} />
      {found.data?.total === 0 && <p className="soft">None yet.</p>}
      {found.data && <Matches matches={found.data.matches} most={SHOWN} />}
    </Box>
  );
};

export const Overview = () => {
  const today = dayOf(Date.now());
  const from = daysBefore(today, DAYS - 1);
  const account = useQuery(accountQuery);
  const usage = useQuery(usageQuery(from, today));
  const jobs = useQuery(jobsQuery(FEW));
  const webhook = useQuery(webhookQuery);
  const { isPayer, isWorker } = useRole();
  return (
    <Page
      title="Overview"
      actions={
        <>
          {isPayer && (
            <Link className="button" href="/billing">
              Buy credits
            </Link>
          )}
          {isWorker && (
            <Link className="button first" href="/jobs/new">
              New job
            </Link>
          )}
        </>
      }
    >
      <ReadState of={webhook} />
      {account.data && (
        <>
          <Banners
            account={account.data}
            webhook={webhook.data?.webhook ?? null}
            jobs={jobs.data?.jobs ?? []}
          />
          <Figures account={account.data} />
        </>
      )}
      {isWorker && usage.data?.rows.length === 0 && jobs.data?.jobs.length === 0 ? (
        <FirstSteps />
      ) : (
        <>
          <Box title={`The last ${DAYS} days`}>
            {usage.data ? <UsageBars days={daysFrom(from, DAYS, usage.data.rows)} /> : <ReadState of={usage} />}
          </Box>
          {isWorker && <LatestMatches />}
          {isWorker && (
            <Box title="Latest jobs" flush actions={<Link href="/jobs">All jobs</Link>}>
              <JobTable query={jobs} empty="No jobs yet." />
            </Box>
          )}
        </>
      )}
      {account.data && (
        <p className="soft">
          Free credits are reset to 100 <Time at={account.data.credits.free_resets_at} />. All days are UTC.
        </p>
      )}
    </Page>
  );
};
