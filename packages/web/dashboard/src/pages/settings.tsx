import { useQuery } from '@tanstack/react-query';
import type { Account } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { accountQuery, activeJobsQuery, monitorsQuery, sessionsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { chooseTheme, currentTheme, type Theme, themes } from '../theme.ts';
import { bytes, number } from '../words.ts';
import { CloseAccount } from './close-account.tsx';

type Limit = readonly [name: string, used: number | null, most: number];

/** The limits of the tier with what is used of them, as far as it is counted per account. */
const limitsOf = (
  { limits, usage_today, keys }: Account,
  activeJobs: number | null,
  monitors: number | null,
): Limit[] => [
  ['Requests a minute, each key', null, limits.requests_per_minute],
  ['New transcripts today, each key', usage_today.cold_deliveries, limits.cold_fetches_per_day],
  ['New transcripts at once, each key', null, limits.concurrent_cold_fetches],
  ['Cached reads today, each key', usage_today.cache_hits, limits.cache_reads_per_day],
  ['New listings today, each key', null, limits.cold_enumerations_per_day],
  ['Search pages today, each key', usage_today.search_pages, limits.search_pages_per_day],
  ['Keys', keys.live, limits.live_keys],
  ['Jobs that run or pause', activeJobs, limits.active_jobs],
  ['Videos of a job', null, limits.videos_per_job],
  ['Archives begun today', null, limits.archive_builds_per_day],
  ['Monitors', monitors, limits.monitors],
];

const Limits = ({ account }: { account: Account }) => {
  const active = useQuery(activeJobsQuery);
  const monitors = useQuery(monitorsQuery);
  const watching = monitors.data?.monitors.filter(({ status }) => status !== 'cancelled').length ?? null;
  return (
    <Box title={`Limits of the ${account.account.tier} tier`} flush>
      <ReadState of={active} />
      <ReadState of={monitors} />
      <List
        label="Limits"
        query={active}
        empty=""
        columns={[
          { name: 'Limit' },
          { name: 'Used by all keys', kind: 'number' },
          { name: 'At most', kind: 'number' },
        ]}
        rows={[
          ...limitsOf(account, active.data ?? null, watching).map(([name, used, most]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{used === null ? <span className="soft">–</span> : number(used)}</td>
              <td className="number">{number(most)}</td>
            </tr>
          )),
          <tr key="archives">
            <th scope="row">Archives kept</th>
            <td className="number soft">–</td>
            <td className="number">{bytes(account.limits.archive_bytes)}</td>
          </tr>,
        ]}
      />
    </Box>
  );
};

const Sessions = () => {
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
  const profile = data?.account;
  return (
    <Page
      title="Settings"
      note={
        profile && (
          <>
            {profile.email}, since <Time at={profile.created_at} />
          </>
        )
      }
      actions={profile && <State of={profile.status} />}
    >
      {data && <Limits account={data} />}
      <Sessions />
      <ThemeChoice />
      {data && (
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
