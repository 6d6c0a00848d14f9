import type { FormEvent } from 'react';
import { accountQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';
import { Box } from '../parts/page.tsx';

/** By which the account calls itself to readers of its links. */
export const AccountName = ({ name }: { readonly name: string | null }) => {
  const change = useChange({
    change: (next: string | null) => send('PATCH', '/v1/account', { body: { name: next } }),
    reads: [accountQuery.queryKey],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(readText(new FormData(event.currentTarget), 'name').trim() || null);
  };
  return (
    <Box title="Name">
      <form onSubmit={submit}>
        <Field
          label="Name of the account"
          name="name"
          maxLength={60}
          placeholder="No name"
          defaultValue={name ?? ''}
          hint="It stands on the pages that you hand on by links. Without one they say nothing of who."
        />
        <Failure error={change.error} />
        <p className="row">
          <button className="button" type="submit" disabled={change.isPending}>
            Save the name
          </button>
          <span role="status">{change.isSuccess && 'Saved.'}</span>
        </p>
      </form>
    </Box>
  );
};
