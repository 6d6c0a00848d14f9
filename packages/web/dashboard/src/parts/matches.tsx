import type { Answer } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { clock, readingAddress } from '../read/transcript.ts';
import { Time } from './time.tsx';

type MonitorMatch = Answer<'listMonitorMatches'>['matches'][number];
/** Of a monitor, or of a trial. */
type Found = Omit<MonitorMatch, 'id' | 'found_at'> & { readonly found_at?: string };

const Match = ({ match: { query, video, language, translated, passages, found_at } }: { match: Found }) => (
  <li className="found">
    <p className="found-head">
      <b>
        <bdi>{query}</bdi>
      </b>
      <span className="soft">
        in <bdi>{video.title ?? video.video_id}</bdi>
        {translated && ', translated by machine'}
        {found_at && (
          <>
            , <Time at={found_at} />
          </>
        )}
      </span>
    </p>
    {passages.map(({ start, text }) => (
      <p key={start}>
        <Link href={readingAddress({ video: video.video_id, language, at: Math.floor(start), words: text })}>
          {clock(start)}
        </Link>{' '}
        <bdi lang={language}>{text}</bdi>
      </p>
    ))}
  </li>
);

/** What was said: each query with its sentences, which lead to their second in the reading page. */
export const Matches = ({ matches }: { matches: readonly Found[] }) => (
  <ol className="founds">
    {matches.map((match) => (
      <Match key={`${match.video.video_id} ${match.query}`} match={match} />
    ))}
  </ol>
);
