import { useQuery } from '@tanstack/react-query';
import type { Monitor } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import { Check, Select } from './field.tsx';

type MailFieldProps = {
  readonly value: Monitor['mail'];
  /** What a mail at once is about. */
  readonly now: string;
  readonly hint?: string;
  /** Of a monitor: it has a weekly mail, and wishes about matches. */
  readonly onlyMatches?: boolean;
};

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const days = DAYS.map((name, at) => [String(at + 1), name] as const);
export const clockHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Its name in a form is `mail`. It says who gets it, or that the account has ended all such mails. */
export const MailField = ({ value, now, hint, onlyMatches }: MailFieldProps) => {
  const { data: account } = useQuery(accountQuery);
  const off = (
    <>
      None is sent: mails about monitors and jobs are off in <Link href="/settings">Settings</Link>.
    </>
  );
  const { digest_hour: hour = 0, digest_day: day = 1, time_zone: zone } = account?.mail ?? {};
  const at = zone ? ` at ${clockHour(hour)} ${zone}` : '';
  const select = (
    <Select
      label="Mail"
      name="mail"
      options={[
        ['none', 'No mail'],
        ['now', now],
        ['daily', `In the daily mail${at}`],
        ...(onlyMatches === undefined
          ? []
          : [['weekly', `In the weekly mail, ${DAYS[day - 1]}${at}`] as const]),
      ]}
      defaultValue={value}
      hint={
        account?.mail.event_mails === false
          ? off
          : [hint, account && `To ${account.account.email}.`].filter(Boolean).join(' ')
      }
    />
  );
  if (onlyMatches === undefined) return select;
  return (
    <>
      {select}
      <Check
        name="mail_only_matches"
        defaultChecked={onlyMatches}
        label="Only where my words are said"
        hint="No mail about new videos without them."
      />
    </>
  );
};
