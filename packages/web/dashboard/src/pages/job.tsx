import { useQuery } from '@tanstack/react-query';
import type { JobData, JobVideo } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { jobQuery, rowsQuery } from '../api/queries.ts';
import { type Progress, useProgress } from '../api/use-progress.ts';
import { rowLanguage, rowNote } from '../languages.ts';
import { By } from '../parts/by.tsx';
import { RowError } from '../parts/failure.tsx';
import { Select } from '../parts/field.tsx';
import { OwnMail } from '../parts/own-mail.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { useSearch } from '../parts/use-search.tsx';
import { readingAddress } from '../transcript.ts';
import { doneOf, duration, hasEnded, isOver, jobName, jobPauses, number } from '../words.ts';
import { JobActions } from './job-actions.tsx';
import { JobFiles } from './job-files.tsx';

/** All videos of the largest job, so that a search finds every one. */
const ROWS = 500;

/** When a job began, and when and after how long it ended. */
const Times = ({ job, progress }: { job: JobData; progress: Progress }) => {
  const { created_at, started_at, finished_at } = job;
  if (finished_at && hasEnded(job))
    return (
      <>
        Ended <Time at={finished_at} />, after {duration(started_at ?? created_at, finished_at)}
      </>
    );
  return (
    <>
      {progress === 'live' ? 'Live, started' : 'Started'} <Time at={created_at} />
    </>
  );
};

const ProgressBox = ({ job }: { job: JobData }) => {
  const { counts, credits } = job;
  const done = doneOf(job);
  return (
    <Box title={`${number(done)} of ${number(counts.total)} done`} actions={<State of={job.status} />}>
      <progress max={counts.total || 1} value={done} aria-label="Videos that are done" />
      {job.status === 'paused' && job.pause_reason && (
        <p role="status">
          {jobPauses[job.pause_reason]}{' '}
          {job.resumes_at && (
            <>
              It goes on <Time at={job.resumes_at} />.
            </>
          )}
        </p>
      )}
      {job.omitted > 0 && (
        <p role="status">
          {number(job.omitted)} {job.omitted === 1 ? 'entry' : 'entries'} of its source could not be read:
          videos may be missing.
        </p>
      )}
      {job.error && (
        <p>
          <RowError code={job.error.code} message={null} />
        </p>
      )}
      <dl className="figures-row inner">
        <Figure name="Fetched, 1 credit each" value={number(counts.fetched)} />
        <Figure name="Cached, free" value={number(counts.cached)} />
        <Figure name="Failed, free" value={number(counts.error)} />
        <Figure name="Waiting" value={number(counts.pending + counts.processing)} />
        <Figure
          name="Credits charged"
          value={number(credits.charged)}
          note={credits.reserved > 0 ? `${number(credits.reserved)} reserved` : undefined}
        />
      </dl>
    </Box>
  );
};

/** What was delivered is read as it was asked for: that is cached. A refused translation is asked for again. */
const VideoName = ({ row }: { row: JobVideo }) => {
  const { title, video_id: video, delivered_language: delivered, requested_language: requested } = row;
  const name = <bdi title={video}>{title ?? video}</bdi>;
  if (delivered === null) return name;
  const language = row.translation === 'refused' ? delivered : requested;
  return <Link href={readingAddress({ video, language })}>{name}</Link>;
};

const Row = ({ row }: { row: JobVideo }) => (
  <tr>
    <th scope="row">
      <VideoName row={row} />
    </th>
    <td>
      <State of={row.status} />
      {row.error_code && (
        <span className="note">
          <RowError code={row.error_code} message={row.message} />
        </span>
      )}
      {row.waiting_for && (
        <span className="note">
          Tried again <Time at={row.next_attempt_at} never="soon" />
        </span>
      )}
    </td>
    <td>
      {rowLanguage(row) ?? <span className="soft">–</span>}
      {rowNote(row) && <span className="note">{rowNote(row)}</span>}
    </td>
    <td className="number">{row.credits_charged}</td>
  </tr>
);

const rowStates = [
  ['', 'All'],
  ['fetched', 'Fetched'],
  ['cached', 'Cached'],
  ['error', 'Failed'],
  ['pending', 'Waiting'],
  ['cancelled', 'Cancelled'],
] as const;

const Rows = ({ id }: { id: string }) => {
  const { search, set } = useQueryState();
  const status = search.get('status') ?? '';
  const filter = new URLSearchParams({
    limit: String(ROWS),
    ...(status && { status }),
  });
  const rows = useQuery(rowsQuery(id, String(filter)));
  const { isOn, holds, field } = useSearch();
  return (
    <Box
      title="Videos"
      flush
      actions={
        <div className="filters">
          <Select
            label="State"
            options={rowStates}
            value={status}
            onChange={(event) => set({ status: event.currentTarget.value })}
          />
          {field}
        </div>
      }
    >
      <List
        label="Videos of the job"
        query={rows}
        empty={isOn || status ? 'No video is like this.' : 'The videos are listed in a moment.'}
        columns={[
          { name: 'Video' },
          { name: 'State' },
          { name: 'Language' },
          { name: 'Credits', kind: 'number' },
        ]}
        rows={rows.data?.videos
          .filter((row) => holds(row.title, row.video_id))
          .map((row) => <Row key={row.position} row={row} />)}
      />
    </Box>
  );
};

export const JobPage = ({ id }: { id: string }) => {
  const query = useQuery(jobQuery(id));
  const job = query.data?.job;
  const progress = useProgress(id, !job || isOver(job));
  if (!job)
    return (
      <Page title="Job">
        <ReadState of={query} />
      </Page>
    );
  return (
    <Page
      title={jobName(job)}
      note={
        <>
          <span aria-live="polite">
            <Times job={job} progress={progress} />
          </span>
          <By id={job.person_id} />
          {job.monitor_id && (
            <>
              {' '}
              by <Link href={`/monitors/${job.monitor_id}`}>a monitor</Link>
            </>
          )}
        </>
      }
      actions={<JobActions job={job} />}
    >
      <ProgressBox job={job} />
      <JobFiles job={job} />
      {!hasEnded(job) && <OwnMail path={`/v1/jobs/${id}`} now="When it ends" />}
      <Rows id={id} />
    </Page>
  );
};
