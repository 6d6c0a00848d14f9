import { isolate } from '@tds/contracts/isolated';
import type { Answer, ApiKey, Body } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { accountQuery, keysQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Command, Secret } from '../parts/copy.tsx';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';

const reads = [keysQuery.queryKey, accountQuery.queryKey];

/** Shown once after a key was created or rotated. */
const NewSecret = ({ secret, note, onClose }: { secret: string; note: string; onClose: () => void }) => (
  <>
    <p>{note} It is shown this once: copy it now.</p>
    <Secret text={secret} label="Copy the key" />
    <Command
      label="A request with it"
      text={`curl -i -H "Authorization: Bearer ${secret}" \\\n  "${location.origin}/v1/account"`}
    />
    <div className="row end">
      <button className="button first" type="button" onClick={onClose}>
        I have copied it
      </button>
    </div>
  </>
);

export const capOf = (form: FormData): number | null =>
  readText(form, 'cap') === '' ? null : Number(readText(form, 'cap'));

export const CapField = ({ cap, hint }: { cap: number | null | undefined; hint: string }) => (
  <Field
    label="Daily cap in credits"
    name="cap"
    type="number"
    min={1}
    inputMode="numeric"
    placeholder="No cap"
    defaultValue={cap ?? ''}
    hint={hint}
  />
);

const KeyFields = ({ item }: { item?: ApiKey }) => (
  <>
    <Field
      label="Name"
      name="name"
      required
      maxLength={64}
      autoComplete="off"
      placeholder="Production"
      defaultValue={item?.name}
    />
    <CapField
      cap={item?.daily_credit_cap}
      hint="Beyond it the key waits until 00:00 UTC. Leave it empty for no cap."
    />
  </>
);

export const Actions = ({
  onClose,
  name,
  isPending,
}: {
  onClose: () => void;
  name: string;
  isPending: boolean;
}) => (
  <div className="row end">
    <button className="button" type="button" onClick={onClose}>
      Cancel
    </button>
    <button className="button first" type="submit" disabled={isPending}>
      {name}
    </button>
  </div>
);

export const CreateKey = ({ onClose }: { onClose: () => void }) => {
  const [once] = useState(() => crypto.randomUUID());
  const create = useChange({
    change: (body: Body<'createKey'>) => send<Answer<'createKey', 201>>('POST', '/v1/keys', { body, once }),
    reads,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({ name: readText(form, 'name'), daily_credit_cap: capOf(form) });
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      {create.data ? (
        <NewSecret secret={create.data.key.secret} note="The key works at once." onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Failure error={create.error} />
          <KeyFields />
          <Actions name="Create key" onClose={onClose} isPending={create.isPending} />
        </form>
      )}
    </Dialog>
  );
};

type OneKey = { readonly item: ApiKey; readonly onClose: () => void };

const ChangeKey = ({ item, onClose }: OneKey) => {
  const change = useChange({
    change: (body: Body<'updateKey'>) => send('POST', `/v1/keys/${item.id}`, { body }),
    reads,
    onDone: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({ name: readText(form, 'name'), daily_credit_cap: capOf(form) });
  };
  return (
    <Dialog title={`Change ${isolate(item.name)}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={change.error} />
        <KeyFields item={item} />
        <Actions name="Save" onClose={onClose} isPending={change.isPending} />
      </form>
    </Dialog>
  );
};

const RotateKey = ({ item, onClose }: OneKey) => {
  const [once] = useState(() => crypto.randomUUID());
  const rotate = useChange({
    change: () => send<Answer<'rotateKey', 201>>('POST', `/v1/keys/${item.id}/rotate`, { body: {}, once }),
    reads,
  });
  if (rotate.data)
    return (
      <Dialog title={`New secret of ${isolate(item.name)}`} onClose={onClose}>
        <NewSecret
          secret={rotate.data.key.secret}
          note="The old secret works for 24 hours more."
          onClose={onClose}
        />
      </Dialog>
    );
  return (
    <Confirm
      title={`Rotate ${isolate(item.name)}?`}
      onClose={onClose}
      isPending={rotate.isPending}
      actions={[{ name: 'Rotate', act: () => rotate.mutate() }]}
    >
      <Failure error={rotate.error} />
      <p>A new secret works at once, with the same name and cap. The old one works for 24 hours more.</p>
    </Confirm>
  );
};

const RevokeKey = ({ item, onClose }: OneKey) => {
  const revoke = useChange({
    change: (hours: 0 | 24) => send('DELETE', `/v1/keys/${item.id}`, { body: { grace_period_hours: hours } }),
    reads,
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Revoke ${isolate(item.name)}?`}
      onClose={onClose}
      isPending={revoke.isPending}
      actions={[
        ...(item.status === 'active' ? [{ name: 'In 24 hours', act: () => revoke.mutate(24) }] : []),
        { name: 'Now', act: () => revoke.mutate(0), isDanger: true },
      ]}
    >
      <Failure error={revoke.error} />
      <p>
        <b>In 24 hours</b> leaves time to put another key in its place. <b>Now</b> ends it everywhere within 30
        seconds, its jobs and monitors pause, and nothing more is sent to addresses that it gave them.
      </p>
    </Confirm>
  );
};

export const keyDialogs = { change: ChangeKey, rotate: RotateKey, revoke: RevokeKey };
