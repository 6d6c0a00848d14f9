import { useQuery } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { useSearch } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, readText } from '../parts/field.tsx';
import { Box, Page } from '../parts/page.tsx';

/** The page to which the mail of an invitation leads, also without a session. */
export const Join = () => {
  const invitation_id = new URLSearchParams(useSearch()).get('invitation') ?? '';
  const { data } = useQuery(accountQuery);
  const join = useChange({
    change: (code: string) =>
      send<Answer<'acceptInvitation'>>('POST', '/v1/auth/invitation', {
        body: { invitation_id, code, accept_terms: true },
      }),
    reads: [],
    onDone: () => location.assign('/dashboard'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    join.mutate(readText(new FormData(event.currentTarget), 'code'));
  };
  return (
    <Page title="Join an account" note="The mail says who invites you, and in which role">
      <Box>
        <form onSubmit={submit}>
          <Failure error={join.error} />
          {data && (
            <p role="status">
              This browser is signed in as <bdi>{data.person?.email ?? data.account.email}</bdi>. Joining signs
              it in as the address to which the invitation was mailed.
            </p>
          )}
          <p>
            If that address has an account already,{' '}
            <a href={`/signin?to=${encodeURIComponent(`/dashboard/join?invitation=${invitation_id}`)}`}>
              sign in with it
            </a>{' '}
            first.
          </p>
          <Field
            label="Code of the mail"
            name="code"
            required
            autoComplete="one-time-code"
            spellCheck={false}
          />
          <Check
            required
            label={
              <>
                I accept the <a href="/terms">terms</a>
              </>
            }
          />
          <p className="row">
            <button className="button first" type="submit" disabled={join.isPending}>
              Join
            </button>
          </p>
        </form>
      </Box>
    </Page>
  );
};
