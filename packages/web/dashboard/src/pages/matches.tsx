import { useQuery } from '@tanstack/react-query';
import { downloadMatches } from '../api/library.ts';
import { matchesQuery, monitorsQuery } from '../api/queries.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Matches } from '../parts/matches.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { Pager } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { monitorTabs } from '../views.ts';
import { Feed } from './feed.tsx';
import { titleOf } from './monitors.tsx';

/** Of one monitor, or of all. */
export const MatchList = ({ monitor, empty }: { monitor?: string; empty: string }) => {
  const { set, search } = useQueryState();
  const offset = Number(search.get('matches') ?? 0);
  const ofMonitor: Record<string, string> = monitor === undefined ? {} : { monitor_id: monitor };
  const found = useQuery(matchesQuery(String(new URLSearchParams({ ...ofMonitor, offset: String(offset) }))));
  const all = useQuery({ ...monitorsQuery, enabled: monitor === undefined });
  const names = all.data && new Map(all.data.monitors.map((each) => [each.id, titleOf(each)]));
  const save = useChange({ change: () => downloadMatches(ofMonitor), reads: [] });
  return (
    <Box
      title="Matches"
      actions={
        found.data !== undefined &&
        found.data.total > 0 && (
          <button
            className="button small"
            type="button"
            disabled={save.isPending}
            onClick={() => save.mutate()}
          >
            {save.isPending ? 'Reading…' : 'As CSV'}
          </button>
        )
      }
    >
      <Failure error={save.error} />
      <ReadState of={found} />
      {monitor === undefined && <ReadState of={all} />}
      {found.data?.total === 0 && <p className="soft">{empty}</p>}
      {found.data && <Matches matches={found.data.matches} names={names} />}
      <Pager page={found.data} onOffset={(next) => set({ matches: next })} />
    </Box>
  );
};

export const MatchesPage = () => (
  <Page
    title="Matches"
    note="Where the words of your monitors were said in new videos, in the last 90 days."
    tabs={<Tabs label="Monitors" tabs={monitorTabs} />}
  >
    <MatchList empty="None yet. Enter words for a monitor, and new videos are searched when their transcripts arrive." />
    <Feed name="All matches" />
  </Page>
);
