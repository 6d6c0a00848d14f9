import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TranscriptFormat } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { accountQuery } from '../api/queries.ts';
import {
  downloadTranscript,
  findVideo,
  openingQuery,
  readTranscript,
  transcriptQuery,
} from '../api/transcripts.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { Failure } from '../parts/failure.tsx';
import { Field, Select, textOf } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { useQueryState } from '../parts/use-query-state.ts';
import { Reader } from '../read/reader.tsx';
import {
  clock,
  DEFAULT_LANGUAGE,
  languageChoices,
  languageSentence,
  type ReadableTranscript,
  readingAddress,
  readingCost,
  readingHindrance,
  type VideoFacts,
  type Wish,
  watchUrl,
} from '../read/transcript.ts';
import { credits } from '../words.ts';
import { formats } from './new-job.tsx';

const MAX_ADDRESS_LENGTH = 2_048;
const MAX_TAG_LENGTH = 35;

const LanguageField = ({ value }: { value: string }) => (
  <Field
    label="Language"
    name="language"
    defaultValue={value}
    maxLength={MAX_TAG_LENGTH}
    autoComplete="off"
    hint="A tag such as en, es or pt-BR."
  />
);

const Choose = () => {
  const [, navigate] = useLocation();
  const find = useChange({
    change: async ({ input, language }: { input: string; language: string }) => {
      const { video } = await findVideo(input);
      return { video: video.id, language };
    },
    reads: [],
    onDone: (wish) => navigate(readingAddress(wish)),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    find.mutate({ input: textOf(form, 'input'), language: textOf(form, 'language') || DEFAULT_LANGUAGE });
  };
  return (
    <Page
      title="Read a transcript"
      note="Cached transcripts are free, a new one costs 1 credit. The next page says which it is."
    >
      <Box>
        <form onSubmit={submit}>
          <div className="columns">
            <Field
              label="Video"
              name="input"
              required
              maxLength={MAX_ADDRESS_LENGTH}
              autoComplete="off"
              placeholder="https://www.youtube.com/watch?v=…"
              hint="Its address, or its id."
            />
            <LanguageField value={DEFAULT_LANGUAGE} />
          </div>
          <Failure error={find.error} />
          <button className="button first" type="submit" disabled={find.isPending}>
            {find.isPending ? 'Looking…' : 'Open'}
          </button>
        </form>
      </Box>
    </Page>
  );
};

/** A transcript that is not cached: what it costs, and the button that fetches it. */
const Fetch = ({ wish, facts }: { wish: Wish; facts: VideoFacts }) => {
  const client = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const [isSlow, setSlow] = useState(false);
  const fetching = useChange({
    change: () => withKey((key) => readTranscript(wish, { key, onWait: () => setSlow(true) })),
    reads: [accountQuery.queryKey, openingQuery(wish).queryKey],
    // Two presses of a nervous finger are charged once, and one of their answers says so.
    onDone: (answer) =>
      client.setQueryData(transcriptQuery(wish).queryKey, (known) => ({
        ...answer,
        charged: answer.charged + (known?.charged ?? 0),
      })),
  });
  const hindrance = account && readingHindrance(account);
  return (
    <Box>
      <p>
        {readingCost(facts)} {account && !hindrance && `You have ${credits(account.credits.available)}.`}
      </p>
      <Failure error={fetching.error} />
      <div className="row">
        <button
          className="button first"
          type="button"
          disabled={fetching.isPending || Boolean(hindrance)}
          onClick={() => fetching.mutate()}
        >
          {fetching.isPending ? 'Fetching…' : 'Fetch it for 1 credit'}
        </button>
        {hindrance && (
          <span>
            {hindrance} <Link href="/billing">Billing</Link>
          </span>
        )}
      </div>
      <div role="status">
        {fetching.isPending && (
          <>
            <progress aria-label="Fetching" />
            <p className="note">
              {isSlow
                ? 'It takes longer than usual. It goes on if you leave this page, and is then cached.'
                : 'The video platform is asked. This takes some seconds.'}
            </p>
          </>
        )}
      </div>
    </Box>
  );
};

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

const Opened = ({ wish }: { wish: Wish }) => {
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
      {facts && !isCached && !read && <Fetch wish={wish} facts={facts} />}
      {read && <Reader transcript={read.transcript} />}
    </Page>
  );
};

/** One transcript, by its address: nothing of it is kept in the browser. */
export const Read = () => {
  const { search } = useQueryState();
  const wish = { video: search.get('video') ?? '', language: search.get('language') ?? DEFAULT_LANGUAGE };
  return wish.video === '' ? <Choose /> : <Opened key={`${wish.video} ${wish.language}`} wish={wish} />;
};
