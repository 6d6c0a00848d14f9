import { useQuery } from '@tanstack/react-query';
import type { TranscriptFormat } from '@transcript-delivery/sdk';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { downloadTranscript, openingQuery, transcriptQuery } from '../api/transcripts.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Select, textOf } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { Reader, type ReaderPlace } from '../read/reader.tsx';
import {
  clock,
  DEFAULT_LANGUAGE,
  languageChoices,
  languageSentence,
  type ReadableTranscript,
  readingAddress,
  type VideoFacts,
  type Wish,
  watchUrl,
} from '../read/transcript.ts';
import { credits } from '../words.ts';
import { ChooseVideo, LanguageField } from './choose-video.tsx';
import { FetchTranscript } from './fetch-transcript.tsx';
import { formats } from './new-job.tsx';

const Download = ({ wish }: { wish: Wish }) => {
  const download = useChange({
    change: (format: TranscriptFormat) => downloadTranscript(wish, format),
    reads: [],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    download.mutate(textOf(new FormData(event.currentTarget), 'format') as TranscriptFormat);
  };
  return (
    <form className="row bottom" onSubmit={submit}>
      <Select label="Format" name="format" options={formats} />
      <button className="button" type="submit" disabled={download.isPending}>
        <Icon name="download" />
        Download
      </button>
      <Failure error={download.error} />
    </form>
  );
};

/** The languages that are known of the video, and a field for any other one. */
const Language = ({ wish, facts, shown }: { wish: Wish; facts: VideoFacts; shown: string }) => {
  const [, navigate] = useLocation();
  const choose = (language: string) => navigate(readingAddress({ ...wish, language }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    choose(textOf(new FormData(event.currentTarget), 'language') || DEFAULT_LANGUAGE);
  };
  return (
    <div className="language">
      <Select
        label="Language"
        options={languageChoices(facts, shown)}
        value={shown}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <details>
        <summary>Another language</summary>
        <form className="row bottom" onSubmit={submit}>
          <LanguageField value={wish.language} />
          <button className="button" type="submit">
            Show
          </button>
        </form>
      </details>
    </div>
  );
};

const Source = ({ video, more }: { video: ReadableTranscript['video']; more: readonly string[] }) => (
  <>
    {[video.channel_title, video.published_at, video.duration && clock(video.duration), ...more]
      .filter(Boolean)
      .join(' · ')}{' '}
    <a href={watchUrl(video.id)} target="_blank" rel="noopener noreferrer">
      Open the video
    </a>
  </>
);

const Opened = ({ wish, place }: { wish: Wish; place: ReaderPlace }) => {
  const opening = useQuery(openingQuery(wish));
  const isCached = opening.data?.isCached === true;
  const reading = useQuery({ ...transcriptQuery(wish), enabled: isCached });
  const facts = opening.data?.facts;
  const read = reading.data;
  const video = read?.transcript.video ?? facts?.video;
  const cost = read?.charged ? `${credits(read.charged)} charged` : 'from the cache, free';
  return (
    <Page
      title={video?.title ?? `Video ${wish.video}`}
      note={video && <Source video={video} more={read ? [languageSentence(read.transcript), cost] : []} />}
      actions={
        <Link className="button" href="/read">
          Another video
        </Link>
      }
    >
      {facts && (
        <Box>
          <div className="columns">
            <Language
              wish={wish}
              facts={facts}
              shown={read?.transcript.language.delivered ?? wish.language}
            />
            {read && <Download wish={wish} />}
          </div>
        </Box>
      )}
      {!facts && <ReadState of={opening} />}
      {facts && isCached && <ReadState of={reading} />}
      {facts && !isCached && !read && <FetchTranscript wish={wish} facts={facts} />}
      {read && <Reader transcript={read.transcript} place={place} />}
    </Page>
  );
};

/** One transcript, by its address: nothing of it is kept in the browser. */
export const Read = () => {
  const { search } = useQueryState();
  const wish = { video: search.get('video') ?? '', language: search.get('language') ?? DEFAULT_LANGUAGE };
  if (wish.video === '') return <ChooseVideo />;
  const at = Number.parseInt(search.get('at') ?? '', 10);
  const place = { at: Number.isNaN(at) ? null : at, words: search.get('words') ?? '' };
  return <Opened key={`${wish.video} ${wish.language}`} wish={wish} place={place} />;
};
