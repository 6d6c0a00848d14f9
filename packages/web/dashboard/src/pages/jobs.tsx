import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { jobsQuery } from '../api/queries.ts';
import { Select } from '../parts/field.tsx';
import { JobTable } from '../parts/job-table.tsx';
import { Box, Page } from '../parts/page.tsx';
import { Pager } from '../parts/table.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { useSearch } from '../parts/use-search.tsx';
import { nameOf } from '../words.ts';

/** As many as the API gives at once, so that a search finds what it can. */
const PAGE = 100;
const stateOptions = [
  ['', 'All'],
  ['running', 'Running'],
  ['paused', 'Paused'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const;

export const Jobs = () => {
  const { search, set, offset } = useQueryState();
  const status = search.get('status') ?? '';
  const filter = new URLSearchParams({
    limit: String(PAGE),
    offset: String(offset),
    ...(status && { status }),
  });
  const jobs = useQuery(jobsQuery(String(filter)));
  const { isOn, holds, field } = useSearch();
  const found = jobs.data && { jobs: jobs.data.jobs.filter((job) => holds(nameOf(job), job.source.input)) };
  return (
    <Page
      title="Jobs"
      note="A job fetches the transcripts of many videos, and packs them into one ZIP."
      actions={
        <Link className="button first" href="/jobs/new">
          New job
        </Link>
      }
    >
      <div className="filters">
        <Select
          label="State"
          options={stateOptions}
          value={status}
          onChange={(event) => set({ status: event.currentTarget.value })}
        />
        {field}
      </div>
      <Box flush>
        <JobTable
          query={{ data: found, error: jobs.error }}
          empty={
            isOn || status ? (
              'No job is like this.'
            ) : (
              <p>
                No jobs yet. <Link href="/jobs/new">Start one</Link> with the address of a channel or a
                playlist.
              </p>
            )
          }
        />
        <Pager page={jobs.data} onOffset={(next) => set({ status, offset: next })} />
      </Box>
    </Page>
  );
};
