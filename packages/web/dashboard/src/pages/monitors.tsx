import { useQuery } from '@tanstack/react-query';
import type { Monitor } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { monitorsQuery } from '../api/queries.ts';
import { wishName } from '../languages.ts';
import { Select } from '../parts/field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { useSearch } from '../parts/use-search.tsx';
import { monitorTabs } from '../views.ts';
import { counted, monitorPauses, number } from '../words.ts';
import { NewMonitor } from './new-monitor.tsx';

export const titleOf = ({ title, channel, playlist }: Monitor): string => title ?? channel ?? playlist ?? '';

const Row = ({ monitor }: { monitor: Monitor }) => (
  <tr>
    <th scope="row">
      <Link href={`/monitors/${monitor.id}`}>
        <bdi>{titleOf(monitor)}</bdi>
      </Link>
      <span className="note">
        {monitor.playlist ? 'Playlist' : 'Channel'}
        {monitor.auto_fetch && `, fetched in ${wishName(monitor.language)}`}
        {monitor.words.length > 0 &&
          `, watched for ${counted(monitor.words.length, 'word or phrase', 'words or phrases')}`}
      </span>
    </th>
    <td>
      <State of={monitor.status} />
      {monitor.pause_reason && <span className="note">{monitorPauses[monitor.pause_reason]}</span>}
    </td>
    <td className="number wide">{number(monitor.new_videos)}</td>
    <td>
      <Time at={monitor.last_checked_at} />
    </td>
    <td>
      <Time at={monitor.next_check_at} never="–" />
    </td>
  </tr>
);

const stateOptions = [
  ['', 'All'],
  ['active', 'Active'],
  ['paused', 'Paused'],
  ['cancelled', 'Cancelled'],
] as const;

export const Monitors = () => {
  const monitors = useQuery(monitorsQuery);
  const { search, set } = useQueryState();
  const status = search.get('status') ?? '';
  const { isOn, holds, field } = useSearch();
  const found = monitors.data?.monitors.filter(
    (monitor) =>
      (status === '' || monitor.status === status) &&
      holds(titleOf(monitor), monitor.channel, monitor.playlist),
  );
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Monitors"
      note="A monitor looks for new videos of a channel or a playlist about every 15 minutes."
      tabs={<Tabs label="Monitors" tabs={monitorTabs} />}
      actions={
        <button className="button first" type="button" onClick={() => setCreating(true)}>
          New monitor
        </button>
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
        <List
          label="Monitors"
          query={monitors}
          empty={
            isOn || status ? 'No monitor is like this.' : 'No monitors yet. Create one to hear of new videos.'
          }
          columns={[
            { name: 'Source' },
            { name: 'State' },
            { name: 'New videos', kind: 'number', isWide: true },
            { name: 'Last check' },
            { name: 'Next check' },
          ]}
          rows={found?.map((monitor) => <Row key={monitor.id} monitor={monitor} />)}
        />
      </Box>
      {isCreating && <NewMonitor onClose={() => setCreating(false)} />}
    </Page>
  );
};
