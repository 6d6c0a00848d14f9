import type { Account, Body } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { accountQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, readText, Select } from '../parts/field.tsx';
import { clockHour, days } from '../parts/mail-field.tsx';
import { Box } from '../parts/page.tsx';
import { zoneName, zoneNames } from '../time-zones.ts';

type Change = Body<'changeMailSettings'>;

/** A form of some of the account's wishes about mail. */
const useMailForm = (read: (form: FormData) => Change) => {
  const change = useChange({
    change: (body: Change) => send('PATCH', '/v1/account/mail', { body }),
    reads: [accountQuery.queryKey],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(read(new FormData(event.currentTarget)));
  };
  return { change, submit };
};

const Save = ({ change }: { change: ReturnType<typeof useMailForm>['change'] }) => (
  <>
    <Failure error={change.error} />
    <p className="row">
      <button className="button" type="submit" disabled={change.isPending}>
        Save
      </button>
      <span role="status">{change.isSuccess && 'Saved.'}</span>
    </p>
  </>
);

const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), clockHour(hour)] as const);
const zoneOptions = (chosen: string) =>
  zoneNames(chosen, Intl.DateTimeFormat().resolvedOptions().timeZone).map((zone) => [zone, zone] as const);

/** Whether mails about monitors and jobs are sent to who is signed in, and when that of a day. */
export const EventMails = ({ mail }: { mail: Account['mail'] }) => {
  const { change, submit } = useMailForm((form) => ({
    time_zone: readText(form, 'time_zone'),
    digest_hour: Number(readText(form, 'digest_hour')),
    digest_day: Number(readText(form, 'digest_day')),
    event_mails: form.has('event_mails'),
  }));
  return (
    <Box title="Your mails">
      <form onSubmit={submit}>
        <Check
          name="event_mails"
          defaultChecked={mail.event_mails}
          label="Mails about monitors and jobs"
          hint="Those that you made or chose: at once, in the daily mail or, of a monitor, in the weekly mail."
        />
        <div className="columns">
          <Select
            label="Hour of the daily and weekly mail"
            name="digest_hour"
            options={hours}
            defaultValue={String(mail.digest_hour)}
          />
          <Select
            label="Day of the weekly mail"
            name="digest_day"
            options={days}
            defaultValue={String(mail.digest_day)}
          />
          <Select
            label="Time zone"
            name="time_zone"
            options={zoneOptions(mail.time_zone)}
            defaultValue={zoneName(mail.time_zone)}
          />
        </div>
        <Save change={change} />
      </form>
    </Box>
  );
};

/** Below which balance a mail is sent. */
export const LowBalance = ({ mail }: { mail: Account['mail'] }) => {
  const { change, submit } = useMailForm((form) => {
    const threshold = readText(form, 'threshold');
    return { low_balance_threshold: threshold === '' ? null : Number(threshold) };
  });
  return (
    <Box title="Low balance">
      <form onSubmit={submit}>
        <Field
          label="Mail below this number of credits"
          name="threshold"
          type="number"
          min={1}
          inputMode="numeric"
          placeholder="No mail"
          defaultValue={mail.low_balance_threshold ?? ''}
          hint="One mail, until the balance has been above it again."
        />
        <Save change={change} />
      </form>
    </Box>
  );
};
