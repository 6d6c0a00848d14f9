import { useQuery } from '@tanstack/react-query';
import type { JobSummary, LoggedRequest } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { jobsQuery, requestQuery } from '../api/queries.ts';
import { useKeyNames } from '../api/use-key-names.ts';
import { SPOKEN } from '../languages.ts';
import { Copy } from '../parts/copy.tsx';
import { LoggedError } from '../parts/failure.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { Moment } from '../parts/time.tsx';
import { readingAddress } from '../read/transcript.ts';
import { nameOf, number, requestState, routeWords } from '../words.ts';

/** The job of a request is most likely among these. */
const NEWEST_JOBS = 'limit=100';

/** The key of a session is not listed. */
const KeyName = ({ id, keys }: { id: string | null; keys: ReturnType<typeof useKeyNames>['names'] }) =>
  id === null ? 'The dashboard' : (keys.find((key) => key.id === id)?.name ?? <code>{id}</code>);

type AboutProps = { readonly request: LoggedRequest; readonly job: JobSummary | undefined };

const About = ({ request: { video_id: video, job_id }, job }: AboutProps) => (
  <>
    {video && (
      <Figure name="Video" value={<Link href={readingAddress({ video, language: SPOKEN })}>{video}</Link>} />
    )}
    {job_id && (
      <Figure
        name="Job"
        value={
          <Link href={`/jobs/${job_id}`}>
            <bdi>{job ? nameOf(job) : 'its progress'}</bdi>
          </Link>
        }
        note="Its videos are charged there"
      />
    )}
  </>
);

export const RequestPage = ({ id }: { id: string }) => {
  const query = useQuery(requestQuery(id));
  const { names, reading } = useKeyNames();
  const request = query.data?.request;
  const jobs = useQuery({ ...jobsQuery(NEWEST_JOBS), enabled: Boolean(request?.job_id) });
  const job = jobs.data?.jobs.find(({ id: one }) => one === request?.job_id);
  return (
    <Page
      title={request ? routeWords(request.route) : 'Request'}
      note={
        <>
          <Link href="/requests">Requests</Link>, request <code>{id}</code>
        </>
      }
      actions={request && <Copy text={id} label="Copy the id" />}
    >
      <ReadState of={reading} />
      {request?.job_id && <ReadState of={jobs} />}
      {request ? (
        <Box title="Result" actions={<State of={requestState(request, job)} />}>
          {request.code && (
            <p>
              <LoggedError code={request.code} />
            </p>
          )}
          <dl className="figures-row inner">
            <Figure name="Credits" value={number(request.credits_charged)} />
            <Figure name="Status" value={request.status} />
            <Figure name="Milliseconds" value={number(request.duration_ms)} />
            <Figure name="Key" value={<KeyName id={request.key_id} keys={names} />} />
            <Figure name="At" value={<Moment at={request.created_at} />} />
            <About request={request} job={job} />
          </dl>
        </Box>
      ) : (
        <ReadState of={query} />
      )}
    </Page>
  );
};
