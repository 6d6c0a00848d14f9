import { useQuery } from '@tanstack/react-query';
import type { LedgerPage, LedgerRow } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { ledgerQuery } from '../api/queries.ts';
import { saveAs } from '../api/save-as.ts';
import { get } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useKeyNames } from '../api/use-key-names.ts';
import { useSubjects } from '../api/use-subjects.ts';
import { entryText, ledgerCsv } from '../ledger-csv.ts';
import { CauseSelect, chosenCause } from '../parts/cause-select.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Moment } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { billingTabs } from '../views.ts';
import { jobName, number } from '../words.ts';

const PAGE = 50;
const CSV_PAGE = 200;

const pathOf = (parameters: Record<string, string | number>): string =>
  `/v1/usage?${new URLSearchParams(
    Object.entries({ resource: 'ledger', ...parameters }).map(([name, value]) => [name, String(value)]),
  )}`;

/** Every entry of one reading: new ones shift nothing. */
const readAll = async (filter: Record<string, string>): Promise<LedgerRow[]> => {
  const rows: LedgerRow[] = [];
  for (let next: string | null = pathOf({ ...filter, limit: CSV_PAGE }); next !== null; ) {
    const page: LedgerPage = await get<LedgerPage>(next);
    rows.push(...page.rows);
    next = page.next;
  }
  return rows;
};

type EntryProps = {
  readonly row: LedgerRow;
  /** What it is about; null if only ids are known. */
  readonly name: string | null;
  readonly by: string | undefined;
};

const Entry = ({ row, name, by }: EntryProps) => (
  <tr>
    <th scope="row">
      {row.job_id ? <Link href={`/jobs/${row.job_id}`}>{entryText(row, name)}</Link> : entryText(row, name)}
      {by && <span className="note">by {by}</span>}
    </th>
    <td className="number">{row.amount > 0 ? `+${number(row.amount)}` : number(row.amount)}</td>
    <td className="number wide">
      {number(row.balance.before)} → {number(row.balance.after)}
    </td>
    <td>
      <Moment at={row.created_at} />
    </td>
  </tr>
);

export const Ledger = () => {
  const { search, set, offset } = useQueryState();
  const { nameCause } = useKeyNames();
  const [filter, asOf] = [chosenCause(search), search.get('as_of') ?? ''];
  const path = pathOf({ ...filter, limit: PAGE, offset, ...(asOf && { as_of: asOf }) });
  const ledger = useQuery(ledgerQuery(path));
  const { titles, jobs, library, newestJobs } = useSubjects();
  const nameEntry = ({ job_id, video_id }: LedgerRow): string | null => {
    const job = jobs.get(job_id ?? '');
    return job ? jobName(job) : (titles.get(video_id ?? '') ?? null);
  };
  const save = useChange({
    change: () => readAll(filter),
    reads: [],
    onDone: (rows) => saveAs('ledger.csv', new Blob([ledgerCsv(rows)], { type: 'text/csv' })),
  });
  return (
    <Page
      title="Ledger"
      tabs={<Tabs label="Billing" tabs={billingTabs} />}
      note="Every change of what the account owns, newest first."
      actions={
        <>
          <a className="button" href="/v1/usage?format=csv" download>
            Use by day as CSV
          </a>
          <button className="button" type="button" disabled={save.isPending} onClick={() => save.mutate()}>
            {save.isPending ? 'Reading…' : 'Ledger as CSV'}
          </button>
        </>
      }
    >
      <Failure error={save.error} />
      <ReadState of={library} />
      <ReadState of={newestJobs} />
      <div className="filters">
        <CauseSelect cause={filter} onChange={(cause) => set({ ...cause, as_of: '' })} />
      </div>
      <Box flush>
        <List
          label="Ledger"
          query={ledger}
          empty="Nothing was charged or added yet."
          columns={[
            { name: 'Entry' },
            { name: 'Credits', kind: 'number' },
            { name: 'Balance', kind: 'number', isWide: true },
            { name: 'At' },
          ]}
          rows={ledger.data?.rows.map((row) => (
            <Entry key={row.id} row={row} name={nameEntry(row)} by={nameCause(row)} />
          ))}
        />
        <Pager
          page={ledger.data}
          onOffset={(next) => set({ as_of: next === 0 ? '' : (ledger.data?.as_of ?? ''), offset: next })}
        />
      </Box>
    </Page>
  );
};
