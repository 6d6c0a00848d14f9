import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { jobsQuery } from '../api/queries.ts';
import { Field, Select } from '../parts/field.tsx';
import { JobTable } from '../parts/job-table.tsx';
import { Box, Page } from '../parts/page.tsx';
import { Pager } from '../parts/table.tsx';
import { useQueryState } from '../parts/use-query-state.ts';

const PAGE = 50;
const MAX_NAME_LENGTH = 120;
/** Milliseconds without a key until a search begins. */
const TYPED_MS = 300;
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
  const [status, name] = [search.get('status') ?? '', search.get('name') ?? ''];
  const [words, setWords] = useState(name);
  useEffect(() => {
    if (words.trim() === name) return;
    const timer = setTimeout(() => set({ name: words.trim() }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [words, name, set]);
  const filter = new URLSearchParams({
    limit: String(PAGE),
    offset: String(offset),
    ...(status && { status }),
    ...(name && { name }),
  });
  const jobs = useQuery(jobsQuery(String(filter)));
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
        <Field
          label="Search"
          type="search"
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      <Box flush>
        <JobTable
          query={jobs}
          empty={
            name || status ? (
              'No job is like this.'
            ) : (
              <p>
                No jobs yet. <Link href="/jobs/new">Start one</Link> with the address of a channel or a
                playlist.
              </p>
            )
          }
        />
        <Pager page={jobs.data} onOffset={(next) => set({ offset: next })} />
      </Box>
    </Page>
  );
};
