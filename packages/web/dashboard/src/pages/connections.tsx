import { useQuery } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { connectionsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { isolate } from '../isolated.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { accessTabs } from '../views.ts';
import { appPlace, number, scopeWords } from '../words.ts';

type Connection = Answer<'listConnections'>['connections'][number];

const Disconnect = ({ item, onClose }: { item: Connection; onClose: () => void }) => {
  const end = useChange({
    change: () => send('DELETE', `/v1/connections/${item.id}`),
    reads: [connectionsQuery.queryKey],
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Disconnect ${isolate(item.app.name)}?`}
      onClose={onClose}
      isPending={end.isPending}
      actions={[{ name: 'Disconnect', act: () => end.mutate(), isDanger: true }]}
    >
      <Failure error={end.error} />
      <p>
        The app is refused everywhere within 30 seconds. Its jobs and monitors pause, and nothing more is sent
        to its addresses. It can ask to connect again.
      </p>
    </Confirm>
  );
};

const ConnectionRow = ({ item, onEnd }: { item: Connection; onEnd: (item: Connection) => void }) => (
  <tr>
    <th scope="row">
      {item.app.name}
      <span className="note">{appPlace(item.app)}</span>
    </th>
    <td>{item.scopes.map((scope) => scopeWords[scope].short).join(', ')}</td>
    <td className="number">
      {item.daily_credit_cap === null ? <span className="soft">none</span> : number(item.daily_credit_cap)}
    </td>
    <td>
      <Time at={item.last_used_at} />
    </td>
    <td className="cell-actions">
      <button className="button small danger" type="button" onClick={() => onEnd(item)}>
        Disconnect
        <span className="hidden"> {item.app.name}</span>
      </button>
    </td>
  </tr>
);

export const Connections = () => {
  const query = useQuery(connectionsQuery);
  const [ending, setEnding] = useState<Connection | null>(null);
  return (
    <Page title="Connected apps"
      tabs={<Tabs label="Access" tabs={accessTabs} />} note="Assistants and other apps that may use the account">
      <Box flush>
        <List
          label="Connected apps"
          query={query}
          empty={
            <>
              No apps. <a href="/docs/assistants">Connect an assistant</a>: it asks here for what it needs.
            </>
          }
          columns={[
            { name: 'App' },
            { name: 'May' },
            { name: 'Credits a day', kind: 'number' },
            { name: 'Last use' },
            { name: 'Actions', kind: 'actions' },
          ]}
          rows={query.data?.connections.map((item) => (
            <ConnectionRow key={item.id} item={item} onEnd={setEnding} />
          ))}
        />
      </Box>
      {ending && <Disconnect item={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
};
