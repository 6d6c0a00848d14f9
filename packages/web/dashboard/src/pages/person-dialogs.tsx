import { useQuery } from '@tanstack/react-query';
import { isolate } from '@tds/contracts/isolated';
import type { Body } from '@transcript-delivery/sdk';
import { type FormEvent, type ReactNode, useState } from 'react';
import { accountQuery, feedsQuery, type People, peopleQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useRole } from '../api/use-role.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, readText, Select } from '../parts/field.tsx';
import { leaveSession } from '../session.ts';
import { counted } from '../words.ts';
import { Actions, CapField, capOf } from './key-dialogs.tsx';

type Person = People['people'][number];
type Role = Person['role'];

export const PEOPLE = '/v1/account/people';
export const reads = [peopleQuery.queryKey, ['audit'], accountQuery.queryKey];
const roleOptions = [
  ['member', 'Member: fetches, and has keys, jobs and monitors'],
  ['owner', 'Owner: all, also people and payments'],
  ['billing', 'Billing: sees what is used, buys and refunds'],
] as const;

type PersonFormProps = {
  readonly title: string;
  readonly action: string;
  readonly person?: Pick<Person, 'role' | 'daily_credit_cap'>;
  readonly change: { readonly error: unknown; readonly isPending: boolean };
  readonly onSubmit: (form: FormData, chosen: { role: Role; daily_credit_cap: number | null }) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
};

/** The role and the cap of a person, for a new one with what stands above. */
const PersonForm = ({ title, action, person, change, onSubmit, onClose, children }: PersonFormProps) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onSubmit(form, { role: readText(form, 'role') as Role, daily_credit_cap: capOf(form) });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={change.error} />
        {children}
        <Select label="Role" name="role" options={roleOptions} defaultValue={person?.role ?? 'member'} />
        <CapField
          cap={person?.daily_credit_cap}
          hint="For all keys, apps and sessions of the person together. Leave it empty for no cap."
        />
        <Actions name={action} onClose={onClose} isPending={change.isPending} />
      </form>
    </Dialog>
  );
};

export const useInvite = (onDone?: () => void) =>
  useChange({
    change: (body: Body<'invitePerson'>) => send('POST', PEOPLE, { body }),
    reads,
    ...(onDone && { onDone }),
  });

export const Invite = ({ onClose }: { onClose: () => void }) => {
  const invite = useInvite(onClose);
  return (
    <PersonForm
      title="Invite somebody"
      action="Send the invitation"
      change={invite}
      onSubmit={(form, chosen) => invite.mutate({ email: readText(form, 'email'), ...chosen })}
      onClose={onClose}
    >
      <Field
        label="Email address"
        name="email"
        type="email"
        required
        autoComplete="off"
        hint="A mail with a link and a code works for seven days. Credits, keys and limits stay those of this account."
      />
    </PersonForm>
  );
};

type OneProps = { readonly item: Person; readonly onClose: () => void };

const ChangePerson = ({ item, onClose }: OneProps) => {
  const change = useChange({
    change: (body: Body<'changePerson'>) => send('PATCH', `${PEOPLE}/${item.id}`, { body }),
    reads,
    onDone: onClose,
  });
  return (
    <PersonForm
      title={`Change ${isolate(item.email)}`}
      action="Save"
      person={item}
      change={change}
      onSubmit={(_form, chosen) => change.mutate(chosen)}
      onClose={onClose}
    >
      <p>The keys and apps of a person who becomes Billing end; their jobs and monitors go on.</p>
    </PersonForm>
  );
};

const RemovePerson = ({ item, onClose }: OneProps) => {
  const { me, isOwner } = useRole();
  const isMe = me === item.id;
  const feeds = useQuery({ ...feedsQuery, enabled: !isMe }).data?.feeds ?? [];
  const [renews, setRenews] = useState(false);
  const remove = useChange({
    change: async (work: 'end' | 'pass_on') => {
      await send('DELETE', `${PEOPLE}/${item.id}`, { body: { work } });
      // Only now can the person not read the new addresses.
      for (const { monitor_id } of renews ? feeds : [])
        await send('POST', '/v1/feeds', { body: monitor_id ? { monitor_id } : {} });
    },
    reads: [...reads, feedsQuery.queryKey],
    onDone: () => (isMe ? leaveSession('/signin') : onClose()),
  });
  return (
    <Confirm
      title={isMe ? 'Leave the account?' : `Remove ${isolate(item.email)}?`}
      onClose={onClose}
      isPending={remove.isPending}
      actions={[
        ...(isOwner ? [{ name: 'Pass the work on', act: () => remove.mutate('pass_on'), isDanger: true }] : []),
        { name: 'End the work', act: () => remove.mutate('end'), isDanger: true },
      ]}
    >
      <Failure error={remove.error} />
      <p>All sessions, keys and connected apps of the person end at once, everywhere within 30 seconds.</p>
      <p>
        {isMe
          ? 'Your address may sign in afterwards, to an account of its own in which nothing of this one is. Only a new invitation brings you back.'
          : 'The person is mailed, and may sign in afterwards to an account of their own, in which nothing of this one is.'}
      </p>
      <p>
        {isOwner && (
          <>
            <b>Pass the work on</b> lets their jobs and monitors go on, paid by this account,{' '}
            {isMe ? 'under the daily cap of its oldest other owner' : 'under your daily cap'}.{' '}
          </>
        )}
        <b>End the work</b> pauses their jobs and monitors until somebody takes them over, and nothing more is
        sent to addresses that their keys gave.
      </p>
      {feeds.length > 0 && (
        <Check
          label={`Renew ${counted(feeds.length, 'feed address', 'feed addresses')}`}
          hint="Who knows an address needs no key. Other readers then need the new one."
          onChange={({ currentTarget: { checked } }) => setRenews(checked)}
        />
      )}
    </Confirm>
  );
};

export const personDialogs = { change: ChangePerson, remove: RemovePerson };
