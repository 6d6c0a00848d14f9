import { useQuery } from '@tanstack/react-query';
import type { Body } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { accountQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Field, textOf } from '../parts/field.tsx';
import { Box } from '../parts/page.tsx';

/** Below which balance a mail is sent. */
export const LowBalance = () => {
  const { data } = useQuery(accountQuery);
  const change = useChange({
    change: (body: Body<'changeMailSettings'>) => send('PATCH', '/v1/account/mail', { body }),
    reads: [accountQuery.queryKey],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const threshold = textOf(new FormData(event.currentTarget), 'threshold');
    change.mutate({ low_balance_threshold: threshold === '' ? null : Number(threshold) });
  };
  if (!data) return null;
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
          defaultValue={data.mail.low_balance_threshold ?? ''}
          hint="One mail, until the balance has been above it again."
        />
        <Failure error={change.error} />
        <p className="row">
          <button className="button" type="submit" disabled={change.isPending}>
            Save
          </button>
          <span role="status">{change.isSuccess && 'Saved.'}</span>
        </p>
      </form>
    </Box>
  );
};
