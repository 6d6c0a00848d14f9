import { useQuery } from '@tanstack/react-query';
import { isolate } from '@tds/contracts/isolated';
import type { Answer } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { connectionsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useKeyUse } from '../api/use-key-use.ts';
import { useRole } from '../api/use-role.ts';
import type { KeyUse } from '../key-use.ts';
import { By } from '../parts/by.tsx';
import { Command } from '../parts/copy.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { creditColumns, UseCells } from '../parts/use-cells.tsx';
import { accessTabs } from '../views.ts';
import { appPlace, scopeWords } from '../words.ts';

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

type ConnectionRowProps = {
  readonly item: Connection;
  readonly use: KeyUse | null;
  readonly onEnd: (item: Connection) => void;
};

const ConnectionRow = ({ item, use, onEnd }: ConnectionRowProps) => {
  const { isMine } = useRole();
  return (
    <tr>
      <th scope="row">
        {item.app.name}
        <span className="note">
          {appPlace(item.app)}
          <By id={item.person_id} />
        </span>
      </th>
      <td>{item.scopes.map((scope) => scopeWords[scope].short).join(', ')}</td>
      <UseCells use={use} cap={item.daily_credit_cap} />
      <td>
        <Time at={item.last_used_at} />
      </td>
      <td className="cell-actions">
        {isMine(item.person_id) && (
          <button className="button small danger" type="button" onClick={() => onEnd(item)}>
            Disconnect
            <span className="hidden"> {item.app.name}</span>
          </button>
        )}
      </td>
    </tr>
  );
};

export const Connections = () => {
  const query = useQuery(connectionsQuery);
  const { usage, findUse } = useKeyUse();
  const [ending, setEnding] = useState<Connection | null>(null);
  return (
    <Page
      title="Connected apps"
      tabs={<Tabs label="Access" tabs={accessTabs} />}
      note="Assistants and other apps that may use the account"
    >
      <ReadState of={usage} />
      <Box flush>
        <List
          label="Connected apps"
          query={query}
          empty={
            <>
              <p>
                No apps. Enter this address in your assistant, which then asks here for what it needs.{' '}
                <a href="/docs/assistants">How to connect it</a>
              </p>
              <Command label="Address for assistants" text={`${location.origin}/v1/mcp`} />
            </>
          }
          columns={[
            { name: 'App' },
            { name: 'May' },
            ...creditColumns,
            { name: 'Last use' },
            { name: 'Actions', kind: 'actions' },
          ]}
          rows={query.data?.connections.map((item) => (
            <ConnectionRow key={item.id} item={item} use={findUse(item.id)} onEnd={setEnding} />
          ))}
        />
      </Box>
      {ending && <Disconnect item={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
};
