import { useState } from 'react';
import type { People } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useKeyUse } from '../api/use-key-use.ts';
import { usePeople } from '../api/use-people.ts';
import { useRole } from '../api/use-role.ts';
import type { KeyUse } from '../key-use.ts';
import { Failure } from '../parts/failure.tsx';
import { Box } from '../parts/page.tsx';
import { List } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { creditColumns, UseCells } from '../parts/use-cells.tsx';
import { AuditList } from './audit.tsx';
import { Invite, PEOPLE, personDialogs, reads, useInvite } from './person-dialogs.tsx';

type Person = People['people'][number];
type Invitation = People['invitations'][number];

const roleNames: Readonly<Record<Person['role'], string>> = {
  owner: 'Owner',
  member: 'Member',
  billing: 'Billing',
};

type Open = { readonly kind: keyof typeof personDialogs; readonly item: Person };

type ButtonProps = {
  readonly name: string;
  readonly of: string;
  readonly danger?: boolean;
  onClick: () => void;
};
const RowButton = ({ name, of, danger, onClick }: ButtonProps) => (
  <button className={danger ? 'button small danger' : 'button small'} type="button" onClick={onClick}>
    {name}
    <span className="hidden"> {of}</span>
  </button>
);

type RowProps = {
  readonly item: Person;
  readonly use: KeyUse | null;
  readonly onOpen: (open: Open) => void;
};

const PersonRow = ({ item, use, onOpen }: RowProps) => {
  const { people } = usePeople();
  const { me, isOwner } = useRole();
  const isLastOwner = isOwner && people.filter(({ role }) => role === 'owner').length === 1;
  const button = (kind: Open['kind'], name: string) => (
    <RowButton name={name} of={item.email} danger={kind === 'remove'} onClick={() => onOpen({ kind, item })} />
  );
  return (
    <tr>
      <th scope="row">
        <bdi>{item.email}</bdi>
        <span className="note">
          {item.id === me ? 'You, joined' : 'Joined'} <Time at={item.joined_at} />
        </span>
      </th>
      <td>{roleNames[item.role]}</td>
      <UseCells use={use} cap={item.daily_credit_cap} />
      <td className="cell-actions">
        <span className="row end">
          {isOwner && button('change', 'Change')}
          {item.id === me ? !isLastOwner && button('remove', 'Leave') : isOwner && button('remove', 'Remove')}
        </span>
      </td>
    </tr>
  );
};

const InvitationRow = ({ item }: { item: Invitation }) => {
  const { isOwner } = useRole();
  const again = useInvite();
  const end = useChange({ change: () => send('DELETE', `${PEOPLE}/${item.id}`, { body: {} }), reads });
  const { email, role, daily_credit_cap } = item;
  return (
    <tr>
      <th scope="row">
        <bdi>{email}</bdi>
        <span className="note" role="status">
          {again.isSuccess ? 'Sent again' : 'Invited'}, ends <Time at={item.expires_at} />
        </span>
        <Failure error={again.error ?? end.error} />
      </th>
      <td>{roleNames[role]}</td>
      <UseCells use={null} cap={daily_credit_cap} />
      <td className="cell-actions">
        {isOwner && (
          <span className="row end">
            <RowButton
              name="Send again"
              of={`to ${email}`}
              onClick={() => again.mutate({ email, role, daily_credit_cap })}
            />
            <RowButton name="End" of={`the invitation of ${email}`} danger onClick={() => end.mutate()} />
          </span>
        )}
      </td>
    </tr>
  );
};

/** Who is in the account: everybody sees it, and owners change it. */
export const PeopleBox = () => {
  const { people, invitations, reading } = usePeople();
  const { isOwner } = useRole();
  const { findUseOf } = useKeyUse();
  const [open, setOpen] = useState<Open | null>(null);
  const [isReading, setReading] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const Opened = open && personDialogs[open.kind];
  return (
    <Box
      title="People"
      flush
      actions={
        isOwner && (
          <button className="button small" type="button" onClick={() => setInviting(true)}>
            Invite
          </button>
        )
      }
    >
      <List
        label="People"
        query={reading}
        empty="Nobody."
        columns={[{ name: 'Person' }, { name: 'Role' }, ...creditColumns, { name: 'Actions', kind: 'actions' }]}
        rows={
          reading.data && [
            ...people.map((item) => (
              <PersonRow key={item.id} item={item} use={findUseOf(item.id)} onOpen={setOpen} />
            )),
            ...invitations.map((item) => <InvitationRow key={item.id} item={item} />),
          ]
        }
      />
      {isOwner && (
        <details onToggle={({ currentTarget: { open: isOpen } }) => setReading(isOpen)}>
          <summary>What happened</summary>
          {isReading && <AuditList />}
        </details>
      )}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {open && Opened && <Opened item={open.item} onClose={() => setOpen(null)} />}
    </Box>
  );
};
