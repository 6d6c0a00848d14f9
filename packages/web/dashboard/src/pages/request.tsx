import { useQuery } from '@tanstack/react-query';
import type { JobSummary, LoggedRequest } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { jobQuery, requestQuery } from '../api/queries.ts';
import { Refusal } from '../api/send.ts';
import { useKeyNames } from '../api/use-key-names.ts';
import { SPOKEN } from '../languages.ts';
import { Copy } from '../parts/copy.tsx';
import { LoggedError } from '../parts/failure.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { Moment } from '../parts/time.tsx';
import { readingAddress } from '../transcript.ts';
import { jobName, number, requestState, routeWords } from '../words.ts';

type AboutProps = {
  readonly request: LoggedRequest;
  readonly job: JobSummary | undefined;
  readonly isDeleted: boolean;
};

const About = ({ request: { video_id: video, job_id }, job, isDeleted }: AboutProps) => (
  <>
    {video && (
      <Figure name="Video" value={<Link href={readingAddress({ video, language: SPOKEN })}>{video}</Link>} />
    )}
    {job_id && (
      <Figure
        name="Job"
        value={
          isDeleted ? (
            'Deleted'
          ) : (
            <Link href={`/jobs/${job_id}`}>
              <bdi>{job ? jobName(job) : 'its progress'}</bdi>
            </Link>
          )
        }
        note="Its videos are charged there"
      />
    )}
  </>
);

export const RequestPage = ({ id }: { id: string }) => {
  const query = useQuery(requestQuery(id));
  const { nameCause, reading } = useKeyNames();
  const request = query.data?.request;
  const found = useQuery({ ...jobQuery(request?.job_id ?? ''), enabled: Boolean(request?.job_id) });
  const isDeleted = found.error instanceof Refusal && found.error.body.code === 'job_not_found';
  const job = found.data?.job;
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
      {request?.job_id && !isDeleted && <ReadState of={found} />}
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
            <Figure name="By" value={nameCause(request) ?? <code>{request.key_id}</code>} />
            <Figure name="At" value={<Moment at={request.created_at} />} />
            <About request={request} job={job} isDeleted={isDeleted} />
          </dl>
        </Box>
      ) : (
        <ReadState of={query} />
      )}
    </Page>
  );
};
