import { Fragment } from 'react';
import { Link } from 'wouter';
import { byVideo } from '../found-passages.ts';
import { clock, readingAddress } from '../transcript.ts';
import { Marked, QuoteActions } from './quote.tsx';
import { Time } from './time.tsx';

type Found = Parameters<typeof byVideo>[0][number];
type FoundVideo = ReturnType<typeof byVideo>[number];
/** What a list over all monitors calls them. */
type Names = ReadonlyMap<string, string>;

const FoundIn = ({ found, names }: { found: FoundVideo; names: Names | undefined }) => {
  const { queries, passages, isOpen } = found;
  const { video, language, translated, found_at, monitor_id: monitor = '' } = found.first;
  const id = video.video_id;
  const [{ start: at, text: first, words = first } = { start: 0, text: '' }] = passages;
  return (
    <li className="found">
      <p className="found-head">
        <Link href={readingAddress({ video: id, language, at: Math.floor(at), words })}>
          <bdi>{video.title ?? id}</bdi>
        </Link>
        <span className="soft">
          {queries.map((query, index) => (
            <Fragment key={query}>
              {index > 0 && ', '}
              <b>
                <bdi>{query}</bdi>
              </b>
            </Fragment>
          ))}
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
        <div key={`${start} ${text}`} className="hit">
          <p dir="auto" lang={language}>
            <Link href={readingAddress({ video: id, language, at: Math.floor(start), words: said || text })}>
              {clock(start)}
            </Link>{' '}
            <Marked text={text} words={said} />
          </p>
          <QuoteActions
            of={{ video: { ...video, id }, isTranslated: translated === true }}
            {...{ text, start, url }}
          />
        </div>
      ))}
      {isOpen && <p className="note">And perhaps more places: these are the first of a search.</p>}
    </li>
  );
};

type MatchesProps = {
  readonly matches: readonly Found[];
  readonly names?: Names | undefined;
  /** The most videos. */
  readonly most?: number;
};

/** What was said: each video once, with its queries and sentences. */
export const Matches = ({ matches, names, most }: MatchesProps) => (
  <ol className="founds">
    {byVideo(matches)
      .slice(0, most)
      .map((found) => (
        <FoundIn key={found.key} {...{ found, names }} />
      ))}
  </ol>
);
