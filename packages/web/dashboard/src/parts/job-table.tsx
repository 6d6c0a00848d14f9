import type { JobSummary } from '@transcript-delivery/sdk';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { doneOf, jobName, number } from '../words.ts';
import { State } from './state.tsx';
import { List } from './table.tsx';
import { Time } from './time.tsx';

type Props = {
  readonly query: {
    readonly data: { readonly jobs: readonly JobSummary[] } | undefined;
    readonly error: unknown;
  };
  readonly empty: ReactNode;
};

export const JobTable = ({ query, empty }: Props) => (
  <List
    label="Jobs"
    query={query}
    empty={empty}
    columns={[
      { name: 'Job' },
      { name: 'State' },
      { name: 'Done', kind: 'number', isWide: true },
      { name: 'Credits', kind: 'number' },
      { name: 'Started' },
    ]}
    rows={query.data?.jobs.map((job) => (
      <tr key={job.id}>
        <th scope="row">
          <Link href={`/jobs/${job.id}`}>
            <bdi>{jobName(job)}</bdi>
          </Link>
        </th>
        <td>
          <State of={job.status} />
        </td>
        <td className="number wide">
          {number(doneOf(job))} of {number(job.counts.total)}
        </td>
        <td className="number">{number(job.credits.charged)}</td>
        <td>
          <Time at={job.created_at} />
        </td>
      </tr>
    ))}
  />
);
