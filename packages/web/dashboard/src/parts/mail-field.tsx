import { useQuery } from '@tanstack/react-query';
import type { Monitor } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import { Select } from './field.tsx';

type MailFieldProps = {
  readonly value: Monitor['mail'];
  /** What a mail at once is about. */
  readonly now: string;
  readonly hint: string;
};

/** Its name in a form is `mail`. It says so if the account has ended all such mails. */
export const MailField = ({ value, now, hint }: MailFieldProps) => {
  const { data: account } = useQuery(accountQuery);
  const off = (
    <>
      None is sent: mails about monitors and jobs are off in <Link href="/settings">Settings</Link>.
    </>
  );
  return (
    <Select
      label="Mail"
      name="mail"
      options={[
        ['none', 'No mail'],
        ['now', now],
        ['daily', 'In the daily mail'],
      ]}
      defaultValue={value}
      hint={account?.mail.event_mails === false ? off : hint}
    />
  );
};
