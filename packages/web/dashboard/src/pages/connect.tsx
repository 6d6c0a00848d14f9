import { useQuery } from '@tanstack/react-query';
import type { Account, Answer, Body } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { useSearch } from 'wouter';
import { accountQuery, connectionRequestQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, readText } from '../parts/field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { appPlace, credits, scopeWords } from '../words.ts';

type Asked = Answer<'getConnectionRequest'>['request'];
type Scope = Asked['scopes'][number];

const DEFAULT_CAP = 20;

const spends = (scope: Scope): boolean => scope !== 'read';

const ScopeChecks = ({ asked, chosen, onChange }: ScopeChecksProps) => (
  <fieldset>
    <legend>It may</legend>
    {asked.map((scope) => (
      <Check
        key={scope}
        label={scopeWords[scope].long}
        hint={scopeWords[scope].costs}
        checked={chosen.includes(scope)}
        disabled={!spends(scope)}
        onChange={({ currentTarget: { checked } }) =>
          onChange(checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
        }
      />
    ))}
  </fieldset>
);
type ScopeChecksProps = {
  readonly asked: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
};

type ConsentProps = { readonly id: string; readonly asked: Asked; readonly account: Account['account'] };

const Consent = ({ id, asked: { app, scopes }, account: { id: account_id, email } }: ConsentProps) => {
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes);
  const [cap, setCap] = useState(String(DEFAULT_CAP));
  const answer = useChange({
    change: (body: Body<'answerConnectionRequest'>) =>
      send<Answer<'answerConnectionRequest'>>('POST', `/v1/connections/requests/${id}`, { body }),
    reads: [],
    onDone: ({ redirect_to }) => location.assign(redirect_to),
  });
  const isSpending = chosen.some(spends);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const daily_credit_cap = isSpending ? Number(readText(new FormData(event.currentTarget), 'cap')) : null;
    answer.mutate({ allow: true, scopes: [...chosen], daily_credit_cap, account_id });
  };
  return (
    <Box>
      <form onSubmit={submit}>
        <Failure error={answer.error} />
        <p>
          <b>{app.name}</b> wants to use the account <b>{email}</b>. That is what the app calls itself; it
          returns to <b>{appPlace(app)}</b>.
        </p>
        <ScopeChecks asked={scopes} chosen={chosen} onChange={setChosen} />
        {isSpending && (
          <Field
            label="Credits that it may spend each day"
            name="cap"
            type="number"
            min={1}
            max={1_000_000}
            inputMode="numeric"
            required
            value={cap}
            onChange={({ currentTarget }) => setCap(currentTarget.value)}
            hint="A day ends at 00:00 UTC. Nothing that the app reads or is told makes it spend more."
          />
        )}
        <p>
          {isSpending && Number(cap) > 0
            ? `It may spend at most ${credits(Number(cap))} a day, with all that it starts, until you disconnect it.`
            : 'It may spend nothing.'}{' '}
          It changes and ends only what it has begun. It never sees your keys, your sessions or your payments,
          and cannot change them.
        </p>
        <div className="row end">
          <button
            className="button"
            type="button"
            disabled={answer.isPending}
            onClick={() => answer.mutate({ allow: false })}
          >
            Refuse
          </button>
          <button className="button first" type="submit" disabled={answer.isPending}>
            Connect
          </button>
        </div>
      </form>
    </Box>
  );
};

/** The page to which an app leads the holder of an account. */
export const Connect = () => {
  const id = new URLSearchParams(useSearch()).get('request') ?? '';
  const request = useQuery(connectionRequestQuery(id));
  const account = useQuery(accountQuery);
  return (
    <Page title="Connect an app" note="Allow only an app that you have just opened yourself">
      <ReadState of={request} />
      {request.data && account.data && (
        <Consent id={id} asked={request.data.request} account={account.data.account} />
      )}
    </Page>
  );
};
