import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { keysQuery } from '../api/queries.ts';
import { Box, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { accessTabs } from '../views.ts';
import { number } from '../words.ts';
import { CreateKey, keyDialogs } from './key-dialogs.tsx';

type Open = { readonly kind: keyof typeof keyDialogs; readonly item: ApiKey };

const KeyRow = ({ item, onOpen }: { item: ApiKey; onOpen: (open: Open) => void }) => {
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
        <code className="note">{item.prefix}…</code>
      </th>
      <td>
        <State of={item.status} />
        {item.status === 'revoking' && (
          <span className="note">
            <Time at={item.revokes_at} />
          </span>
        )}
      </td>
      <td className="number">
        {item.daily_credit_cap === null ? <span className="soft">none</span> : number(item.daily_credit_cap)}
      </td>
      <td>
        <Time at={item.last_used_at} />
      </td>
      <td className="cell-actions">
        {item.status !== 'revoked' && (
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

export const Keys = () => {
  const keys = useQuery(keysQuery);
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
      <Box flush>
        <List
          label="Keys"
          query={keys}
          empty="No keys. Create one to send requests."
          columns={[
            { name: 'Key' },
            { name: 'State' },
            { name: 'Daily cap', kind: 'number' },
            { name: 'Last use' },
            { name: 'Actions', kind: 'actions' },
          ]}
          rows={keys.data?.keys.map((item) => <KeyRow key={item.id} item={item} onOpen={setOpen} />)}
        />
      </Box>
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
      {open && Opened && <Opened item={open.item} onClose={() => setOpen(null)} />}
    </Page>
  );
};
