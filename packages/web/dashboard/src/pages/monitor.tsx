import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { jobsQuery, monitorQuery, monitorsQuery, monitorVideosQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { wishName } from '../languages.ts';
import { By } from '../parts/by.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { JobTable } from '../parts/job-table.tsx';
import { MONITOR_MAILS } from '../parts/mail-field.tsx';
import { OwnMail } from '../parts/own-mail.tsx';
import { Box, Figure, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { State } from '../parts/state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { useSearch } from '../parts/use-search.tsx';
import { readingAddress } from '../transcript.ts';
import { monitorPauses, number } from '../words.ts';
import { Feed } from './feed.tsx';
import { MatchList } from './matches.tsx';
import { MonitorSettings } from './monitor-settings.tsx';
import { titleOf } from './monitors.tsx';

const Cancel = ({ id }: { id: string }) => {
  const [isConfirming, setConfirming] = useState(false);
  const cancel = useChange({
    change: () => send('DELETE', `/v1/monitors/${id}`),
    reads: [monitorsQuery.queryKey],
    onDone: () => setConfirming(false),
  });
  return (
    <>
      <button className="button danger" type="button" onClick={() => setConfirming(true)}>
        End the monitor
      </button>
      {isConfirming && (
        <Confirm
          title="End this monitor?"
          onClose={() => setConfirming(false)}
          isPending={cancel.isPending}
          actions={[{ name: 'End it', act: () => cancel.mutate(), isDanger: true }]}
        >
          <Failure error={cancel.error} />
          <p>
            It looks for no more videos and cannot go on: to watch again, make a new one. Its words and its last
            100 new videos stay here, its feeds end, and jobs that it has begun go on.
          </p>
        </Confirm>
      )}
    </>
  );
};

const Resume = ({ id }: { id: string }) => {
  const resume = useChange({
    change: () => withKey((key) => send('POST', `/v1/monitors/${id}/resume`, { key })),
    reads: [monitorsQuery.queryKey],
  });
  return (
    <>
      <button className="button" type="button" disabled={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </button>
      <Failure error={resume.error} />
    </>
  );
};

const Videos = ({ id, language }: { id: string; language: string }) => {
  const { set, offset } = useQueryState();
  const found = useQuery(monitorVideosQuery(id, offset));
  const { isOn, holds, field } = useSearch();
  // Only what is loaded is searched.
  const isWhole = found.data !== undefined && found.data.total <= found.data.limit;
  return (
    <Box title="New videos" flush actions={isWhole && <div className="filters">{field}</div>}>
      <List
        label="New videos"
        query={found}
        empty={
          isOn
            ? 'No video is like this.'
            : 'None yet. Videos that were there before the monitor are not listed.'
        }
        columns={[{ name: 'Video' }, { name: 'Found' }, { name: 'Job', isWide: true }]}
        rows={found.data?.videos
          .filter(({ title, video_id }) => holds(title, video_id))
          .map((video) => (
            <tr key={video.video_id}>
              <th scope="row">
                <Link href={readingAddress({ video: video.video_id, language })}>
                  <bdi title={video.video_id}>{video.title ?? video.video_id}</bdi>
                </Link>
              </th>
              <td>
                <Time at={video.found_at} />
              </td>
              <td className="wide">
                {video.job_id ? (
                  <Link href={`/jobs/${video.job_id}`}>Job</Link>
                ) : (
                  <span className="soft">–</span>
                )}
              </td>
            </tr>
          ))}
      />
      <Pager page={found.data} onOffset={(next) => set({ offset: next })} />
    </Box>
  );
};

/** Of a monitor that has ended, to copy them into another one. */
const Words = ({ words }: { words: readonly string[] }) => (
  <Box title="Words">
    <pre>{words.join('\n')}</pre>
  </Box>
);

export const MonitorPage = ({ id }: { id: string }) => {
  const query = useQuery(monitorQuery(id));
  const jobs = useQuery(jobsQuery(`limit=5&monitor_id=${id}`));
  const monitor = query.data?.monitor;
  if (!monitor)
    return (
      <Page title="Monitor">
        <ReadState of={query} />
      </Page>
    );
  return (
    <Page
      title={titleOf(monitor)}
      note={
        <>
          <code>{monitor.channel ?? monitor.playlist}</code>
          {monitor.contents !== 'all' && <span>{`, ${monitor.contents} of a channel`}</span>}
          <By id={monitor.person_id} />
        </>
      }
      actions={
        <>
          {monitor.pause_reason === 'key_revoked' && <Resume id={id} />}
          {monitor.status !== 'cancelled' && <Cancel id={id} />}
        </>
      }
    >
      {monitor.words.length > 0 && (
        <MatchList monitor={id} empty="None yet. New videos are searched when their transcripts arrive." />
      )}
      <Box title="Watching" actions={<State of={monitor.status} />}>
        {monitor.pause_reason && <p role="status">{monitorPauses[monitor.pause_reason]}</p>}
        {monitor.last_error && <p className="soft">{monitor.last_error}</p>}
        <dl className="figures-row inner">
          <Figure name="New videos" value={number(monitor.new_videos)} />
          <Figure name="Last check" value={<Time at={monitor.last_checked_at} />} />
          <Figure name="Next check" value={<Time at={monitor.next_check_at} never="–" />} />
          <Figure
            name="New transcripts"
            value={monitor.auto_fetch ? 'Fetched' : 'Not fetched'}
            note={monitor.auto_fetch && `In ${wishName(monitor.language)}, by jobs, 1 credit each`}
          />
        </dl>
      </Box>
      {monitor.status === 'cancelled' ? (
        monitor.words.length > 0 && <Words words={monitor.words} />
      ) : (
        <>
          <MonitorSettings monitor={monitor} />
          <OwnMail path={`/v1/monitors/${id}`} now="At once" hint={MONITOR_MAILS} weekly />
          <Feed monitor={id} name={titleOf(monitor)} />
        </>
      )}
      <Videos id={id} language={monitor.language} />
      {monitor.auto_fetch && (
        <Box title="Jobs" flush actions={<Link href="/jobs">All jobs</Link>}>
          <JobTable query={jobs} empty="It has begun no job yet." />
        </Box>
      )}
    </Page>
  );
};
