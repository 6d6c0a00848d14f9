import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TranscriptFormat } from '@transcript-delivery/sdk';
import { type FormEvent, Fragment, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import {
  downloadTranscript,
  languagesQuery,
  openingQuery,
  readTranscript,
  transcriptQuery,
} from '../api/transcripts.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { Icon } from '../icon.tsx';
import { languageSentence, SPOKEN, type VideoFacts } from '../languages.ts';
import { Failure } from '../parts/failure.tsx';
import { readText } from '../parts/field.tsx';
import { FormatField } from '../parts/format-field.tsx';
import { LanguageField } from '../parts/language-field.tsx';
import { Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { isVideoShown, rememberVideo } from '../read/player.ts';
import { Reader, type ReaderPlace } from '../read/reader.tsx';
import { clock, type ReadableTranscript, readingAddress, type Wish, watchUrl } from '../transcript.ts';
import { credits } from '../words.ts';
import { ChooseVideo } from './choose-video.tsx';
import { FetchTranscript } from './fetch-transcript.tsx';

const Download = ({ wish }: { wish: Wish }) => {
  const download = useChange({
    change: (format: TranscriptFormat) => downloadTranscript(wish, format),
    reads: [],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    download.mutate(readText(new FormData(event.currentTarget), 'format') as TranscriptFormat);
  };
  return (
    <form className="row bottom" onSubmit={submit}>
      <FormatField />
      <button className="button" type="submit" disabled={download.isPending}>
        <Icon name="download" />
        Download
      </button>
      <Failure error={download.error} />
    </form>
  );
};

/** Whether the platform may have better captions by now: these are no captions of the author's in the wanted language. */
const mayImprove = ({ language: { kind, fallback, translation } }: ReadableTranscript): boolean =>
  kind === 'asr' || fallback || translation === 'served';

const AskAgain = ({ wish }: { wish: Wish }) => {
  const client = useQueryClient();
  const asking = useChange({
    change: () => withKey((key) => readTranscript(wish, { key, refresh: true })),
    reads: [accountQuery.queryKey, openingQuery(wish).queryKey],
    onDone: (answer) => client.setQueryData(transcriptQuery(wish).queryKey, answer),
  });
  return (
    <div>
      <p className="note">The author may have added captions since. Worse ones cost nothing.</p>
      <button className="button" type="button" disabled={asking.isPending} onClick={() => asking.mutate()}>
        {asking.isPending ? 'Asking…' : 'Ask the platform again for 1 credit'}
      </button>
      <Failure error={asking.error} />
    </div>
  );
};

const Language = ({ wish, facts }: { wish: Wish; facts: VideoFacts }) => {
  const [, navigate] = useLocation();
  const choose = (language: string) => navigate(readingAddress({ ...wish, language }));
  return <LanguageField value={wish.language} facts={facts} onChoose={choose} />;
};

type SourceProps = {
  readonly video: ReadableTranscript['video'];
  readonly language: string;
  readonly cost: string;
};

/** Each fact has a direction of its own, so that no title turns a date around. On paper the address says where the video is. */
const Source = ({ video, language, cost }: SourceProps) => (
  <>
    {[video.channel_title, video.published_at, video.duration && clock(video.duration), language]
      .filter(Boolean)
      .map((fact) => (
        <Fragment key={fact}>
          <bdi>{fact}</bdi> ·{' '}
        </Fragment>
      ))}
    <span className="on-screen">
      {cost && `${cost} · `}
      <a href={watchUrl(video.id)} target="_blank" rel="noopener noreferrer">
        Open the video
      </a>
    </span>
    <span className="on-paper">{watchUrl(video.id)}</span>
  </>
);

/** With the tracks that the platform says now, if none were known. */
const useFacts = (known: VideoFacts | undefined, isCached: boolean): VideoFacts | undefined => {
  const video = known?.video;
  const isUnknown = video?.status === 'unknown' && known?.caption_tracks.length === 0 && !isCached;
  const asked = useQuery({ ...languagesQuery(video?.id ?? ''), enabled: isUnknown });
  if (!known || !asked.data) return known;
  const { tracks, original_language } = asked.data;
  return { ...known, caption_tracks: tracks, original_language };
};

const Opened = ({ wish, place }: { wish: Wish; place: ReaderPlace }) => {
  const opening = useQuery(openingQuery(wish));
  const cached = opening.data?.cached ?? null;
  const reading = useQuery({ ...transcriptQuery(cached ?? wish), enabled: cached !== null });
  const facts = useFacts(opening.data?.facts, cached !== null);
  const read = reading.data;
  const video = read?.transcript.video ?? facts?.video;
  const cost = read?.charged ? `${credits(read.charged)} charged` : 'from the cache, free';
  const [hasVideo, setHasVideo] = useState(isVideoShown);
  const toggleVideo = () => {
    rememberVideo(!hasVideo);
    setHasVideo(!hasVideo);
  };
  return (
    <Page
      title={video?.title ?? `Video ${wish.video}`}
      note={
        video && (
          <Source
            video={video}
            language={read ? languageSentence(read.transcript) : ''}
            cost={read ? cost : ''}
          />
        )
      }
      actions={
        <>
          {read && (
            <button className="button" type="button" onClick={toggleVideo}>
              {hasVideo ? 'Hide the video' : 'Show the video'}
            </button>
          )}
          <Link className="button" href="/read">
            New transcript
          </Link>
        </>
      }
    >
      {facts && (
        <details className="box tools" open={!read}>
          <summary>{read ? 'Language and download' : 'Language'}</summary>
          <div className="columns">
            <Language wish={wish} facts={facts} />
            {read && <Download wish={cached ?? wish} />}
            {read && mayImprove(read.transcript) && <AskAgain wish={cached ?? wish} />}
          </div>
        </details>
      )}
      {!facts && <ReadState of={opening} />}
      {facts && cached && <ReadState of={reading} />}
      {facts && !cached && !read && <FetchTranscript wish={wish} facts={facts} />}
      {read && <Reader transcript={read.transcript} place={place} hasVideo={hasVideo} />}
    </Page>
  );
};

/** One transcript, by its address: nothing of it is kept in the browser. */
export const Read = () => {
  const { search } = useQueryState();
  const wish = { video: search.get('video') ?? '', language: search.get('language') ?? SPOKEN };
  if (wish.video === '') return <ChooseVideo />;
  const at = Number.parseInt(search.get('at') ?? '', 10);
  const place = { at: Number.isNaN(at) ? null : at, words: search.get('words') ?? '' };
  return <Opened key={`${wish.video} ${wish.language}`} wish={wish} place={place} />;
};
