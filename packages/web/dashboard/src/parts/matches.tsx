import type { Match } from '@transcript-delivery/sdk';
import { Link } from 'wouter';
import { clock, readingAddress } from '../read/transcript.ts';
import { Marked, QuoteActions } from './quote.tsx';
import { Time } from './time.tsx';

/** Of a monitor, or of a trial. */
type Found = Omit<Match, 'id' | 'found_at' | 'monitor_id'> & Partial<Match>;
/** What a list over all monitors calls them. */
type Names = ReadonlyMap<string, string>;

const FoundIn = ({ match, names }: { match: Found; names: Names | undefined }) => {
  const { query, video, language, translated, passages, found_at, monitor_id: monitor = '' } = match;
  const id = video.video_id;
  const [{ start: at, text: first, words = first } = { start: 0, text: '' }] = passages;
  return (
    <li className="found">
      <p className="found-head">
        <Link href={readingAddress({ video: id, language, at: Math.floor(at), words })}>
          <bdi>{video.title ?? id}</bdi>
        </Link>
        <span className="soft">
          <b>
            <bdi>{query}</bdi>
          </b>
          {translated && ', translated by machine'}
          {found_at && (
            <>
              , <Time at={found_at} />
            </>
          )}
          {names && (
            <>
              {' '}
              ·{' '}
              <Link href={`/monitors/${monitor}`}>
                <bdi>{names.get(monitor) ?? 'An earlier monitor'}</bdi>
              </Link>
            </>
          )}
        </span>
      </p>
      {passages.map(({ start, text, words: said = '', url }) => (
        <div key={start} className="hit">
          <p dir="auto" lang={language}>
            <Link href={readingAddress({ video: id, language, at: Math.floor(start), words: said || text })}>
              {clock(start)}
            </Link>{' '}
            <Marked text={text} words={said} />
          </p>
          <QuoteActions
            of={{ video: { ...video, id, channel_title: null }, isTranslated: translated === true }}
            {...{ text, start, url }}
          />
        </div>
      ))}
    </li>
  );
};

/** What was said: each query with its sentences. */
export const Matches = ({ matches, names }: { matches: readonly Found[]; names?: Names | undefined }) => (
  <ol className="founds">
    {matches.map((match) => (
      <FoundIn key={match.id ?? `${match.video.video_id} ${match.query}`} {...{ match, names }} />
    ))}
  </ol>
);
