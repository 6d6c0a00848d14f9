import type { Answer, Receiver } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { receiversQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, readText, Select } from '../parts/field.tsx';

type Form = Receiver['form'];
type Event = Receiver['events'][number];
type Configured = Answer<'changeReceiver'>;

export const formNames: Readonly<Record<Form, string>> = {
  signed: 'Signed webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
};
const formOptions = Object.entries(formNames);

const addressHints: Readonly<Record<Form, string>> = {
  signed: 'Public https, without a user name.',
  slack: 'In Slack: an app with Incoming Webhooks, and there Add New Webhook.',
  discord: 'In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL.',
  teams: 'In Teams: Workflows of a channel, Send webhook alerts to a channel.',
};

const eventNames: Readonly<Record<Event, string>> = {
  'monitor.words_found': 'Words that a monitor has found',
  'channel.new_videos': 'New videos of a monitor',
  'job.completed': 'A job has ended',
  'job.failed': 'A job has failed',
  'job.paused': 'A job is paused',
  'job.resumed': 'A job goes on',
  'credits.low': 'Credits run low',
};
const events = Object.keys(eventNames) as Event[];

type Props = {
  /** The one to change; null for a new one. */
  readonly receiver: Receiver | null;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
};

const useSave = ({ receiver, onClose, onSecret }: Props) =>
  useChange({
    change: (body: object) =>
      receiver === null
        ? send<Configured>('POST', '/v1/receivers', { body })
        : send<Configured>('PATCH', `/v1/receivers/${receiver.id}`, { body }),
    reads: [receiversQuery.queryKey],
    onDone: ({ receiver_secret: secret }) => {
      onClose();
      if (secret) onSecret(secret);
    },
  });

/** What the form says. The address of a chat is not shown again, so an empty one stays as it is. */
const toBody = (form: FormData, receiver: Receiver | null, chosen: Form) => {
  const url = readText(form, 'url');
  return {
    name: readText(form, 'name'),
    events: events.filter((event) => form.has(event)),
    named_only: form.has('named_only'),
    ...(receiver === null && { form: chosen }),
    ...(url !== '' && url !== receiver?.url && { url }),
    ...(form.has('rotate') && { rotate_secret: true }),
  };
};

/** Creates a receiver, or changes one. */
export const ReceiverForm = (props: Props) => {
  const { receiver, onClose } = props;
  const [form, setForm] = useState<Form>(receiver?.form ?? 'slack');
  const save = useSave(props);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(toBody(new FormData(event.currentTarget), receiver, form));
  };
  const isHidden = receiver !== null && form !== 'signed';
  return (
    <Dialog title={receiver === null ? 'New receiver' : 'Change the receiver'} onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={save.error} />
        <Field
          label="Name"
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          defaultValue={receiver?.name}
        />
        {receiver === null && (
          <Select
            label="Form"
            options={formOptions}
            value={form}
            onChange={({ currentTarget }) => setForm(currentTarget.value as Form)}
          />
        )}
        <Field
          label="Address"
          name="url"
          type="url"
          required={!isHidden}
          autoComplete="off"
          placeholder={isHidden ? receiver.url : 'https://'}
          defaultValue={isHidden ? undefined : receiver?.url}
          hint={isHidden ? 'Leave it empty to keep the address, which is a secret.' : addressHints[form]}
        />
        <fieldset>
          <legend>Events</legend>
          {events.map((event) => (
            <Check
              key={event}
              name={event}
              label={eventNames[event]}
              defaultChecked={receiver ? receiver.events.includes(event) : event === 'monitor.words_found'}
            />
          ))}
        </fieldset>
        <Check
          name="named_only"
          defaultChecked={receiver?.named_only}
          label="Only for jobs and monitors that choose it"
        />
        {receiver?.form === 'signed' && <Check name="rotate" label="Issue a new signing secret" />}
        <div className="row end">
          <button className="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="button first" type="submit" disabled={save.isPending}>
            {receiver === null ? 'Create it' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
