import { useQuery } from '@tanstack/react-query';
import type { Account } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { accountQuery, activeJobsQuery, monitorsQuery, sessionsQuery, usageQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { useKeyNames } from '../api/use-key-names.ts';
import { useRole } from '../api/use-role.ts';
import { isNear, type Limit, listLimits } from '../limits.ts';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { dayOf } from '../steps.ts';
import { chooseTheme, currentTheme, type Theme, themes } from '../theme.ts';
import { bytes, number } from '../words.ts';
import { AccountName } from './account-name.tsx';
import { CloseAccount } from './close-account.tsx';
import { EventMails } from './mail-settings.tsx';
import { PeopleBox } from './people.tsx';

const columns: readonly Column[] = [
  { name: 'Limit' },
  { name: 'Used', kind: 'number' },
  { name: 'Left', kind: 'number' },
  { name: 'At most', kind: 'number' },
];

const LimitRow = ({ limit: { name, key, used, most } }: { limit: Limit }) => (
  <tr>
    <th scope="row">
      {name}
      {key && <span className="note">{key}</span>}
    </th>
    <td className="number">{used === null ? <span className="soft">–</span> : number(used)}</td>
    <td className="number">
      {used === null ? <span className="soft">–</span> : number(Math.max(0, most - used))}
    </td>
    <td className="number">{number(most)}</td>
  </tr>
);

const LimitTable = ({ label, limits }: { label: string; limits: readonly Limit[] }) => (
  <List
    label={label}
    query={{ data: limits, error: null }}
    empty="Nothing is above half of its limit."
    columns={columns}
    rows={limits.map((limit) => <LimitRow key={`${limit.name} ${limit.key}`} limit={limit} />)}
  />
);

const Limits = ({ account }: { account: Account }) => {
  const today = dayOf(Date.now());
  const usage = useQuery(usageQuery(today, today));
  const jobs = useQuery(activeJobsQuery);
  const monitors = useQuery(monitorsQuery);
  const { keys, apps, reading } = useKeyNames();
  const watching = monitors.data?.monitors.filter(({ status }) => status !== 'cancelled').length ?? null;
  const rows = (reading.data && usage.data?.rows) || null;
  const used = { rows, jobs: jobs.data ?? null, monitors: watching };
  const limits = listLimits(account, used, { keys, apps }, Date.now());
  return (
    <Box title={`Limits of the ${account.account.tier} tier`} flush>
      <ReadState of={usage} />
      <ReadState of={jobs} />
      <ReadState of={monitors} />
      <ReadState of={reading} />
      <LimitTable label="Limits that are near" limits={limits.filter(isNear)} />
      <details>
        <summary>All limits</summary>
        <p className="note">
          Days are UTC. Fetches that fail count too, so less may be left. ZIPs that are kept take up to{' '}
          {bytes(account.limits.archive_bytes)}.
        </p>
        <LimitTable label="All limits" limits={limits} />
      </details>
    </Box>
  );
};

const Sessions = ({ account }: Pick<Account, 'account'>) => {
  const sessions = useQuery(sessionsQuery);
  const end = useChange({
    change: (path: string) => send('DELETE', `/v1/sessions${path}`),
    reads: [['sessions']],
  });
  const others = sessions.data?.sessions.filter(({ current }) => !current) ?? [];
  return (
    <Box
      title="Sessions"
      flush
      actions={
        others.length > 0 && (
          <button
            className="button small"
            type="button"
            disabled={end.isPending}
            onClick={() => end.mutate('')}
          >
            End all others
          </button>
        )
      }
    >
      <Failure error={end.error} />
      <List
        label="Sessions"
        query={sessions}
        empty="None."
        columns={[
          { name: 'Signed in' },
          { name: 'Last use' },
          { name: 'Ends' },
          { name: 'Actions', kind: 'actions' },
        ]}
        rows={sessions.data?.sessions.map((session) => (
          <tr key={session.id}>
            <th scope="row">
              <Time at={session.created_at} />
              {session.current && <span className="note">This browser</span>}
              {session.account_id !== account.id && <span className="note">In another of your accounts</span>}
            </th>
            <td>
              <Time at={session.last_seen_at} />
            </td>
            <td>
              <Time at={session.expires_at} />
            </td>
            <td className="cell-actions">
              {!session.current && (
                <button
                  className="button small danger"
                  type="button"
                  disabled={end.isPending}
                  onClick={() => end.mutate(`/${session.id}`)}
                >
                  End
                </button>
              )}
            </td>
          </tr>
        ))}
      />
    </Box>
  );
};

const themeNames: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

const ThemeChoice = () => {
  const [theme, setTheme] = useState(currentTheme);
  return (
    <Box title="Theme">
      <fieldset className="row">
        <legend className="hidden">Theme</legend>
        {themes.map((one) => (
          <label key={one} className="check">
            <input
              type="radio"
              name="theme"
              checked={theme === one}
              onChange={() => {
                chooseTheme(one);
                setTheme(one);
              }}
            />
            {themeNames[one]}
          </label>
        ))}
      </fieldset>
    </Box>
  );
};

export const Settings = () => {
  const { data } = useQuery(accountQuery);
  const [isClosing, setClosing] = useState(false);
  const { isOwner, isWorker } = useRole();
  const profile = data?.account;
  return (
    <Page
      title="Settings"
      note={
        profile && (
          <>
            {profile.email}, created <Time at={profile.created_at} />
          </>
        )
      }
      actions={profile && <State of={profile.status} />}
    >
      {data && isWorker && <Limits account={data} />}
      {data && isWorker && <EventMails mail={data.mail} />}
      {data && isOwner && <AccountName name={data.account.name} />}
      <PeopleBox />
      {profile && <Sessions account={profile} />}
      <ThemeChoice />
      {data && isOwner && (
        <Box title="Close the account">
          <p className="soft">
            If something is missing, write to <a href={`mailto:${data.support_email}`}>{data.support_email}</a>{' '}
            first.
          </p>
          <button className="button danger" type="button" onClick={() => setClosing(true)}>
            Close the account
          </button>
        </Box>
      )}
      {isClosing && profile && <CloseAccount email={profile.email} onClose={() => setClosing(false)} />}
    </Page>
  );
};
