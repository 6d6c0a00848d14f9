import { useQuery } from '@tanstack/react-query';
import type { Link as SharedLink } from '@transcript-delivery/sdk';
import { linksQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { By } from '../parts/by.tsx';
import { Copy } from '../parts/copy.tsx';
import { Failure } from '../parts/failure.tsx';
import { Box, Page } from '../parts/page.tsx';
import { List } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { clock } from '../transcript.ts';
import { libraryTabs } from '../views.ts';
import { number } from '../words.ts';

type RowProps = {
  readonly link: SharedLink;
  readonly isPending: boolean;
  readonly onEnd: (id: string) => void;
};

const LinkRow = ({ link, isPending, onEnd }: RowProps) => {
  const { id, title, video_id: video, url, start, opens, ends_at: endsAt } = link;
  const name = title ?? video;
  return (
    <tr>
      <th scope="row">
        <a href={url} target="_blank" rel="noopener noreferrer">
          <bdi>{name}</bdi>
        </a>
        <span className="note">
          {start === null ? 'The transcript' : `A quote at ${clock(start)}`}
          <By id={link.person_id} />
        </span>
      </th>
      <td>
        <Time at={endsAt} />
      </td>
      <td className="number">{number(opens)}</td>
      <td className="cell-actions">
        <Copy
          text={url}
          label={
            <>
              Copy<span className="hidden"> the link to {name}</span>
            </>
          }
        />
        <button className="button small danger" type="button" disabled={isPending} onClick={() => onEnd(id)}>
          Take back<span className="hidden"> the link to {name}</span>
        </button>
      </td>
    </tr>
  );
};

/** What the account hands on now. */
export const Links = () => {
  const query = useQuery(linksQuery);
  const end = useChange({
    change: (id: string) => send('DELETE', `/v1/links/${id}`),
    reads: [linksQuery.queryKey],
  });
  return (
    <Page
      title="Links"
      tabs={<Tabs label="Library" tabs={libraryTabs} />}
      note="Who has a link reads it, without an account. Taking it back ends it at once."
    >
      <Failure error={end.error} />
      <Box flush>
        <List
          label="Links"
          query={query}
          empty="None. Open a transcript and press Hand on a link."
          columns={[
            { name: 'Handed on' },
            { name: 'Ends' },
            { name: 'Opens', kind: 'number' },
            { name: 'Actions', kind: 'actions' },
          ]}
          rows={query.data?.links.map((link) => (
            <LinkRow key={link.id} link={link} isPending={end.isPending} onEnd={(id) => end.mutate(id)} />
          ))}
        />
      </Box>
    </Page>
  );
};
