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
  /** Of a monitor: it has a weekly mail. */
  readonly weekly?: boolean;
};

export const MONITOR_MAILS = 'New videos, and the sentences in which the words are said.';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const days = DAYS.map((name, at) => [String(at + 1), name] as const);
export const clockHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** When who is signed in is mailed; its name in a form is `mail`. It says where to, or that they have ended all such mails. */
export const MailField = ({ value, now, hint, weekly }: MailFieldProps) => {
  const { data: account } = useQuery(accountQuery);
  const off = (
    <>
      None is sent: mails about monitors and jobs are off in <Link href="/settings">Settings</Link>.
    </>
  );
  const { digest_hour: hour = 0, digest_day: day = 1, time_zone: zone } = account?.mail ?? {};
  const at = zone ? ` at ${clockHour(hour)} ${zone}` : '';
  return (
    <Select
      label="Mail"
      name="mail"
      options={[
        ['none', 'No mail'],
        ['now', now],
        ['daily', `In the daily mail${at}`],
        ...(weekly ? [['weekly', `In the weekly mail, ${DAYS[day - 1]}${at}`] as const] : []),
      ]}
      defaultValue={value}
      hint={
        account?.mail.event_mails === false
          ? off
          : [hint, account && `To ${account.person?.email ?? account.account.email}.`].filter(Boolean).join(' ')
      }
    />
  );
};

/** Its name in a form is `mail_only_matches`. */
export const OnlyMatches = ({ isOn }: { isOn: boolean }) => (
  <Check
    name="mail_only_matches"
    defaultChecked={isOn}
    label="Mails only where the words are said"
    hint="No mail about new videos without them."
  />
);
