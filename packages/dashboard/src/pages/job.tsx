import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JobData, JobVideo, TranscriptFormat } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Download, downloadArchive } from '../api/download.ts';
import { accountQuery, jobQuery, rowsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { type Progress, useProgress } from '../api/use-progress.ts';
import { Command } from '../parts/copy.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Failure, ReadFailure, RowError } from '../parts/failure.tsx';
import { Select, textOf } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { NeedsKey } from '../parts/needs-key.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { useTabKey } from '../tab-key.ts';
import { bytes, doneOf, hasEnded, isOver, jobPauses, nameOf, number } from '../words.ts';
import { formats } from './new-job.tsx';

const ROWS = 100;
const live: Readonly<Record<Progress, string>> = {
  live: 'Live',
  waiting: 'Connecting again within ten seconds',
  ended: 'Ended',
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
          note={credits.reserved > 0 ? `${number(credits.reserved)} held` : undefined}
        />
      </dl>
    </Box>
  );
};

type Asked = 'cancel' | 'erase' | null;

const Actions = ({ job }: { job: JobData }) => {
  const key = useTabKey();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Asked>(null);
  const reads = [['jobs'], accountQuery.queryKey];
  const close = () => setAsked(null);
  const path = `/v1/jobs/${job.id}`;
  const retry = useChange({
    change: (apiKey: string) => send('POST', `${path}/retry`, { key: apiKey }),
    reads,
  });
  const cancel = useChange({ change: () => send('POST', `${path}/cancel`), reads, onDone: close });
  const erase = useChange({
    change: () => send('DELETE', path),
    reads: [['jobs', 'list']],
    onDone: () => {
      navigate('/jobs');
      client.removeQueries({ queryKey: ['jobs', job.id] });
    },
  });
  const hasRetryable = job.videos.some(({ retryable }) => retryable) || job.counts.error > ROWS;
  const mayRetry =
    job.pause_reason === 'key_revoked' || (hasEnded(job) && job.status !== 'cancelled' && hasRetryable);
  return (
    <>
      {mayRetry && (
        <button
          className="button"
          type="button"
          disabled={key === null || retry.isPending}
          title={key === null ? 'This needs a key in this tab: see Files below' : undefined}
          onClick={() => key && retry.mutate(key)}
        >
          Retry
        </button>
      )}
      {!hasEnded(job) && (
        <button className="button" type="button" onClick={() => setAsked('cancel')}>
          Cancel
        </button>
      )}
      {isOver(job) && (
        <button className="button danger" type="button" onClick={() => setAsked('erase')}>
          Erase
        </button>
      )}
      <Failure error={retry.error} />
      {asked === 'cancel' && (
        <Confirm
          title="Cancel this job?"
          onClose={close}
          isPending={cancel.isPending}
          actions={[{ name: 'Cancel the job', act: () => cancel.mutate(), isDanger: true }]}
        >
          <Failure error={cancel.error} />
          <p>
            Nothing more begins, and held credits come back. Transcripts that are there stay, and stay
            charged.
          </p>
        </Confirm>
      )}
      {asked === 'erase' && (
        <Confirm
          title="Erase this job?"
          onClose={close}
          isPending={erase.isPending}
          actions={[{ name: 'Erase', act: () => erase.mutate(), isDanger: true }]}
        >
          <Failure error={erase.error} />
          <p>Its rows, files and archives are deleted for good. Charges stay.</p>
        </Confirm>
      )}
    </>
  );
};

const ZipForm = ({ job, apiKey }: { job: JobData; apiKey: string }) => {
  const [parts, setParts] = useState<readonly Download[]>([]);
  const download = useChange({
    change: (format: TranscriptFormat) => {
      setParts([]);
      return downloadArchive({
        jobId: job.id,
        name: nameOf(job),
        format,
        key: apiKey,
        onProgress: (next) => setParts((known) => [...known.filter(({ part }) => part !== next.part), next]),
      });
    },
    reads: [],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    download.mutate(textOf(new FormData(event.currentTarget), 'format') as TranscriptFormat);
  };
  return (
    <form onSubmit={submit}>
      <Failure error={download.error} />
      <div className="row bottom">
        <Select label="Format" name="format" options={formats} defaultValue={job.format} />
        <button className="button first" type="submit" disabled={download.isPending}>
          <Icon name="download" />
          {download.isPending ? 'Preparing…' : 'Download the ZIP'}
        </button>
      </div>
      <div role="status">
        {parts.map(({ part, of, received, bytes: all }) => (
          <p key={part} className="note">
            {of > 1 ? `Part ${part} of ${of}: ` : ''}
            {received === all ? `${bytes(all)} saved and checked` : `${bytes(received)} of ${bytes(all)}`}
          </p>
        ))}
      </div>
    </form>
  );
};

const Files = ({ job }: { job: JobData }) => {
  const key = useTabKey();
  const manifest = `/v1/jobs/${job.id}/manifest`;
  return (
    <>
      {key === null && <NeedsKey what="A key downloads files, and retries what failed." />}
      <Box title="Files">
        {key !== null && isOver(job) && <ZipForm job={job} apiKey={key} />}
        {!isOver(job) && <p className="soft">The ZIP is ready when the job has ended.</p>}
        <p className="row">
          <a className="button small" href={`${manifest}?format=csv`} download>
            List as CSV
          </a>
          <a className="button small" href={manifest} download={`${job.id}.json`}>
            List as JSON
          </a>
        </p>
        <details>
          <summary>From a terminal</summary>
          <Command
            label="Download the ZIP"
            text={`curl -fLOJ -H "Authorization: Bearer $TRANSCRIPTS_API_KEY" \\\n  "${location.origin}/v1/jobs/${job.id}/archive"`}
          />
        </details>
      </Box>
    </>
  );
};

const Row = ({ row }: { row: JobVideo }) => (
  <tr>
    <th scope="row">
      {row.title ?? row.video_id}
      {row.title && <code className="note">{row.video_id}</code>}
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
    <td className="wide">
      {row.delivered_language ?? <span className="soft">–</span>}
      {row.fallback && <span className="note">instead of {row.requested_language}</span>}
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
  const { search, set, offset } = useQueryState();
  const status = search.get('status') ?? '';
  const filter = new URLSearchParams({
    limit: String(ROWS),
    offset: String(offset),
    ...(status && { status }),
  });
  const rows = useQuery(rowsQuery(id, String(filter)));
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
        </div>
      }
    >
      <List
        label="Videos of the job"
        query={rows}
        empty={status ? 'No video is in this state.' : 'The videos are listed in a moment.'}
        columns={[
          { name: 'Video' },
          { name: 'State' },
          { name: 'Language', isWide: true },
          { name: 'Credits', kind: 'number' },
        ]}
        rows={rows.data?.videos.map((row) => <Row key={row.position} row={row} />)}
      />
      <Pager page={rows.data} onOffset={(next) => set({ status, offset: next })} />
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
        <ReadFailure of={query} />
      </Page>
    );
  return (
    <Page
      title={nameOf(job)}
      note={
        <>
          <span aria-live="polite">{live[progress]}</span>, started <Time at={job.created_at} />
          {job.monitor_id && (
            <>
              {' '}
              by <Link href={`/monitors/${job.monitor_id}`}>a monitor</Link>
            </>
          )}
        </>
      }
      actions={<Actions job={job} />}
    >
      <ProgressBox job={job} />
      <Files job={job} />
      <Rows id={id} />
    </Page>
  );
};
