import { useQuery } from '@tanstack/react-query';
import type { LoggedRequest } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { requestsQuery } from '../api/queries.ts';
import { useKeyNames } from '../api/use-key-names.ts';
import { useSubjects } from '../api/use-subjects.ts';
import { CauseSelect, chosenCause } from '../parts/cause-select.tsx';
import { LoggedError } from '../parts/failure.tsx';
import { Field, readText, Select } from '../parts/field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { billingTabs } from '../views.ts';
import { jobName, requestState, routeWords } from '../words.ts';

const PAGE = 50;

const failedOptions = [
  ['', 'All'],
  ['true', 'Failed'],
  ['false', 'Succeeded'],
] as const;

/** Finds a request by the id that an error shows. */
const FindRequest = () => {
  const [, navigate] = useLocation();
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = readText(new FormData(event.currentTarget), 'id');
    if (id !== '') navigate(`/requests/${encodeURIComponent(id)}`);
  };
  return (
    <Box title="Find a request">
      <form onSubmit={find}>
        <Field
          label="Id of the request"
          name="id"
          required
          autoComplete="off"
          spellCheck={false}
          hint="It stands in each error as request_id, and in each answer as X-Request-Id."
        />
        <p className="row">
          <button className="button first" type="submit">
            Find
          </button>
        </p>
      </form>
    </Box>
  );
};

type RowProps = {
  readonly request: LoggedRequest;
  readonly subjects: ReturnType<typeof useSubjects>;
  readonly by: string | undefined;
};

const Row = ({ request, subjects: { titles, jobs }, by }: RowProps) => {
  const { video_id: video, job_id, code } = request;
  const job = jobs.get(job_id ?? '');
  return (
    <tr>
      <th scope="row">
        <Link href={`/requests/${request.request_id}`}>{routeWords(request.route)}</Link>
        <bdi className="note" title={video ?? undefined}>
          {video ? (titles.get(video) ?? video) : job && jobName(job)}
        </bdi>
        {by && <span className="note">by {by}</span>}
      </th>
      <td>
        <State of={requestState(request, job)} />
        {code && (
          <span className="note">
            <LoggedError code={code} />
          </span>
        )}
      </td>
      <td className="number">{request.credits_charged}</td>
      <td>
        <Time at={request.created_at} />
      </td>
    </tr>
  );
};

export const Requests = () => {
  const { search, set, offset } = useQueryState();
  const [failed, cause] = [search.get('failed') ?? '', chosenCause(search)];
  const chosen = { ...(failed && { failed }), ...cause };
  const filter = new URLSearchParams({ limit: String(PAGE), offset: String(offset), ...chosen });
  const requests = useQuery(requestsQuery(String(filter)));
  const subjects = useSubjects();
  const { nameCause } = useKeyNames();
  return (
    <Page
      title="Requests"
      tabs={<Tabs label="Billing" tabs={billingTabs} />}
      note="What was charged or failed in the last seven days. Cached reads are free, and counted in the overview."
    >
      <FindRequest />
      <ReadState of={subjects.library} />
      <ReadState of={subjects.newestJobs} />
      <div className="filters">
        <Select
          label="Result"
          options={failedOptions}
          value={failed}
          onChange={(event) => set({ failed: event.currentTarget.value })}
        />
        <CauseSelect cause={cause} onChange={set} />
      </div>
      <Box flush>
        <List
          label="Requests"
          query={requests}
          empty={
            Object.keys(chosen).length > 0
              ? 'No request is like this.'
              : 'Nothing was charged or failed in seven days.'
          }
          columns={[
            { name: 'Request' },
            { name: 'Result' },
            { name: 'Credits', kind: 'number' },
            { name: 'At' },
          ]}
          rows={requests.data?.requests.map((request) => (
            <Row key={request.request_id} request={request} subjects={subjects} by={nameCause(request)} />
          ))}
        />
        <Pager page={requests.data} onOffset={(next) => set({ offset: next })} />
      </Box>
    </Page>
  );
};
