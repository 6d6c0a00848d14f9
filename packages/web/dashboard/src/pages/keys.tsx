import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { keysQuery } from '../api/queries.ts';
import { useKeyUse } from '../api/use-key-use.ts';
import { useRole } from '../api/use-role.ts';
import { DASHBOARD, type KeyUse } from '../key-use.ts';
import { By } from '../parts/by.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { creditColumns, UseCells } from '../parts/use-cells.tsx';
import { accessTabs } from '../views.ts';
import { CreateKey, keyDialogs } from './key-dialogs.tsx';

type Open = { readonly kind: keyof typeof keyDialogs; readonly item: ApiKey };

type KeyRowProps = {
  readonly item: ApiKey;
  readonly use: KeyUse | null;
  readonly onOpen: (open: Open) => void;
};

const KeyRow = ({ item, use, onOpen }: KeyRowProps) => {
  const { isMine } = useRole();
  const button = (kind: Open['kind'], name: string, danger = '') => (
    <button className={`button small ${danger}`} type="button" onClick={() => onOpen({ kind, item })}>
      {name}
      <span className="hidden"> {item.name}</span>
    </button>
  );
  return (
    <tr>
      <th scope="row">
        {item.name}
        <span className="note">
          <code>{item.prefix}…</code>, created <Time at={item.created_at} />
          <By id={item.person_id} />
        </span>
      </th>
      <td>
        <State of={item.status} />
        {item.status === 'revoking' && (
          <span className="note">
            <Time at={item.revokes_at} />
          </span>
        )}
      </td>
      <UseCells use={use} cap={item.daily_credit_cap} />
      <td>
        <Time at={item.last_used_at} />
      </td>
      <td className="cell-actions">
        {item.status !== 'revoked' && isMine(item.person_id) && (
          <span className="row end">
            {item.status === 'active' && button('change', 'Change')}
            {item.status === 'active' && button('rotate', 'Rotate')}
            {button('revoke', 'Revoke', 'danger')}
          </span>
        )}
      </td>
    </tr>
  );
};

const DashboardRow = ({ use }: { use: KeyUse | null }) => (
  <tr>
    <th scope="row">
      Dashboard<span className="note">What people do here, in each session</span>
    </th>
    <td />
    <UseCells use={use} cap={null} />
    <td />
    <td className="cell-actions" />
  </tr>
);

export const Keys = () => {
  const keys = useQuery(keysQuery);
  const { usage, findUse } = useKeyUse();
  const [isCreating, setCreating] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const Opened = open && keyDialogs[open.kind];
  return (
    <Page
      title="Keys"
      tabs={<Tabs label="Access" tabs={accessTabs} />}
      note={keys.data ? `${keys.data.live_keys} of ${keys.data.key_limit} keys` : 'Keys of the account'}
      actions={
        <button className="button first" type="button" onClick={() => setCreating(true)}>
          New key
        </button>
      }
    >
      <ReadState of={usage} />
      <Box flush>
        <List
          label="Keys"
          query={keys}
          empty="No keys. Create one to send requests."
          columns={[
            { name: 'Key' },
            { name: 'State' },
            ...creditColumns,
            { name: 'Last use' },
            { name: 'Actions', kind: 'actions' },
          ]}
          rows={
            keys.data && [
              ...keys.data.keys.map((item) => (
                <KeyRow key={item.id} item={item} use={findUse(item.id)} onOpen={setOpen} />
              )),
              <DashboardRow key={DASHBOARD.id} use={findUse(DASHBOARD.id)} />,
            ]
          }
        />
      </Box>
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
      {open && Opened && <Opened item={open.item} onClose={() => setOpen(null)} />}
    </Page>
  );
};
