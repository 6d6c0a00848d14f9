import type { Monitor } from '@transcript-delivery/sdk';
import { Select } from './field.tsx';

type MailFieldProps = {
  readonly value: Monitor['mail'];
  /** What a mail at once is about. */
  readonly now: string;
  readonly hint: string;
};

/** Its name in a form is `mail`. */
export const MailField = ({ value, now, hint }: MailFieldProps) => (
  <Select
    label="Mail"
    name="mail"
    options={[
      ['none', 'No mail'],
      ['now', now],
      ['daily', 'In the daily mail'],
    ]}
    defaultValue={value}
    hint={hint}
  />
);
