import { useQuery } from '@tanstack/react-query';
import type { LibraryPassage, LibraryTranscript } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { Link } from 'wouter';
import { downloadTable, libraryQuery, passagesQuery } from '../api/library.ts';
import { useChange } from '../api/use-change.ts';
import { byTranscript, foundWords } from '../found-passages.ts';
import { receivedLanguage } from '../languages.ts';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { Marked, QuoteActions } from '../parts/quote.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { List, Pager } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { clock, readingAddress } from '../transcript.ts';
import { libraryTabs } from '../views.ts';

const TRANSCRIPTS_A_PAGE = 50;
const PASSAGES_A_PAGE = 20;
const MAX_QUERY_LENGTH = 200;

type ViewProps = {
  /** The job whose transcripts are shown; empty for all. */
  readonly job: string;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
};

const toFilter = ({ job, offset }: ViewProps, limit: number, more: Record<string, string> = {}): string =>
  String(
    new URLSearchParams({
      ...more,
      limit: String(limit),
      offset: String(offset),
      ...(job && { job_id: job }),
    }),
  );

const Received = ({ transcript }: { transcript: LibraryTranscript }) => {
  const { video_id: video, title, channel_title: channel, language, received_at: at } = transcript;
  return (
    <tr>
      <th scope="row">
        <Link href={readingAddress({ video, language })}>
          <bdi>{title ?? video}</bdi>
        </Link>
        {channel && (
          <span className="note">
            <bdi>{channel}</bdi>
          </span>
        )}
      </th>
      <td>{receivedLanguage(transcript)}</td>
      <td>
        <Time at={at} />
      </td>
    </tr>
  );
};

const Transcripts = (view: ViewProps) => {
  const library = useQuery(libraryQuery(toFilter(view, TRANSCRIPTS_A_PAGE)));
  return (
    <Box flush>
      <List
        label="Transcripts"
        query={library}
        empty={
          <p>
            None yet. <Link href="/read">Read one</Link>, or <Link href="/jobs/new">start a job</Link> for a
            channel or a playlist.
          </p>
        }
        columns={[{ name: 'Video' }, { name: 'Language' }, { name: 'Received' }]}
        rows={library.data?.transcripts.map((transcript) => (
          <Received
            key={`${transcript.video_id} ${transcript.language} ${transcript.kind} ${transcript.translated}`}
            transcript={transcript}
          />
        ))}
      />
      <Pager page={library.data} onOffset={view.onOffset} />
    </Box>
  );
};

const Found = ({ passage, isFirst }: { passage: LibraryPassage; isFirst: boolean }) => {
  const { video_id: video, title, channel_title: channel, language, text, match, url } = passage;
  const at = clock(match.start);
  const { sentence = text } = match;
  return (
    <div className="hit">
      <p className="found-head">
        <Link href={readingAddress({ video, language, at: Math.floor(match.start), words: match.text })}>
          {isFirst ? <bdi>{title ?? video}</bdi> : 'The same video'}, at {at}
        </Link>
        <span className="soft">
          {isFirst && channel && (
            <>
              <bdi>{channel}</bdi>
              {passage.translated && ' · '}
            </>
          )}
          {passage.translated && 'Translated by machine'}
        </span>
      </p>
      <p dir="auto" lang={language}>
        {!text.startsWith(sentence) && '… '}
        <Marked text={sentence} words={match.text} />
        {!text.endsWith(sentence) && ' …'}
      </p>
      <QuoteActions
        of={{ video: { ...passage, id: video }, isTranslated: passage.translated }}
        text={sentence}
        start={match.start}
        url={url}
      />
    </div>
  );
};

const Passages = ({ words, ...view }: ViewProps & { readonly words: string }) => {
  const found = useQuery(passagesQuery(toFilter(view, PASSAGES_A_PAGE, { q: words })));
  if (!found.data) return <ReadState of={found} doing="Searching…" />;
  const { results } = found.data;
  return (
    <Box>
      <p className="soft" role="status">
        {foundWords(found.data)}
      </p>
      <ol className="founds">
        {byTranscript(results).map(({ key, passages }) => (
          <li key={key} className="found">
            {passages.map((passage, index) => (
              <Found key={passage.start} passage={passage} isFirst={index === 0} />
            ))}
          </li>
        ))}
      </ol>
      <Pager page={found.data} onOffset={view.onOffset} />
    </Box>
  );
};

/** All pages of what is shown, as one file. */
const Table = ({ words, job }: { readonly words: string; readonly job: string }) => {
  const save = useChange({
    change: () => downloadTable({ ...(words && { q: words }), ...(job && { job_id: job }) }),
    reads: [],
  });
  return (
    <>
      <button className="button" type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? 'Reading…' : `${words === '' ? 'List' : 'Results'} as CSV`}
      </button>
      <Failure error={save.error} />
    </>
  );
};

/** What the account has received, and a search in it. */
export const Library = () => {
  const { search, set, offset } = useQueryState();
  const words = search.get('q') ?? '';
  const view = { job: search.get('job') ?? '', offset, onOffset: (next: number) => set({ offset: next }) };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set({ q: readText(new FormData(event.currentTarget), 'q') });
  };
  return (
    <Page
      title="Library"
      tabs={<Tabs label="Library" tabs={libraryTabs} />}
      actions={<Table words={words} job={view.job} />}
      note={
        view.job ? (
          <>
            Transcripts of <Link href={`/jobs/${view.job}`}>one job</Link>.{' '}
            <Link href="/library">Show all</Link>
          </>
        ) : (
          'What you have received, and what is said in it. Searching is free.'
        )
      }
    >
      <Box>
        <search>
          <form key={words} className="row bottom" onSubmit={submit}>
            <Field
              label="Search"
              name="q"
              type="search"
              defaultValue={words}
              maxLength={MAX_QUERY_LENGTH}
              autoComplete="off"
            />
            <button className="button first" type="submit">
              Search
            </button>
          </form>
          <p className="note">
            Finds passages that have all of the words. "Quotes" make a phrase, and -word leaves passages out.
          </p>
        </search>
      </Box>
      {words === '' ? <Transcripts {...view} /> : <Passages words={words} {...view} />}
    </Page>
  );
};
