import { useQuery } from '@tanstack/react-query';
import { feedsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Command } from '../parts/copy.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';

/** The address of a monitor for feed readers; without one, that of all matches. */
export const Feed = ({ monitor, name }: { monitor?: string; name: string }) => {
  const feeds = useQuery(feedsQuery);
  const feed = feeds.data?.feeds.find(({ monitor_id }) => monitor_id === (monitor ?? null));
  const change = useChange({
    change: (method: 'POST' | 'DELETE') =>
      method === 'POST'
        ? send(method, '/v1/feeds', { body: monitor ? { monitor_id: monitor } : {} })
        : send(method, `/v1/feeds${monitor ? `?monitor_id=${monitor}` : ''}`),
    reads: [feedsQuery.queryKey],
  });
  const action = (method: 'POST' | 'DELETE', label: string) => (
    <button className="button" type="button" disabled={change.isPending} onClick={() => change.mutate(method)}>
      {label}
    </button>
  );
  return (
    <Box title="Feed">
      <p className="soft">
        For a feed reader. Who has the address reads it, without a key: renew it if others know it. An address
        that was renewed or ended works for at most a minute.
      </p>
      {feeds.data ? feed && <Command label={name} text={feed.url} /> : <ReadState of={feeds} />}
      <Failure error={change.error} />
      {feeds.data && (
        <p className="row">
          {action('POST', feed ? 'Renew the address' : 'Create a feed')}
          {feed && action('DELETE', 'End the feed')}
        </p>
      )}
    </Box>
  );
};
