import type { Answer } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { invalidLine, toQueries, trialSentence } from '../api/monitor-words.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { Failure } from '../parts/failure.tsx';
import { Area, Check } from '../parts/field.tsx';
import { Matches } from '../parts/matches.tsx';
import { FetchNewest } from './fetch-newest.tsx';

type Place = { readonly channel: string } | { readonly monitor_id: string } | Record<string, never>;

type WordsFieldProps = {
  readonly words: readonly string[];
  readonly onWords: (words: string[]) => void;
  /** Whose transcripts they are tried in; the whole library if it has none. */
  readonly place: Place;
  /** Why they were not saved. */
  readonly error: unknown;
};

/** Indexing ends some seconds after a job. */
const LOOKS = 8;
const LOOK_EVERY_MS = 1_500;

type Trial = { readonly queries: readonly string[]; readonly place: Place; readonly wanted?: number };

/** Tries words, again while fewer transcripts are found than were delivered. */
const tryWords = async ({ queries, place, wanted = 0 }: Trial): Promise<Answer<'tryWords'>> => {
  for (let looks = 1; ; looks++) {
    const body = { words: queries, ...place };
    const tried = await withKey((key) => send<Answer<'tryWords'>>('POST', '/v1/library/words', { body, key }));
    if (tried.transcripts >= wanted || looks === LOOKS) return tried;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
};

/** The queries of a monitor, one a line, and their trial. */
export const WordsField = ({ words, onWords, place, error }: WordsFieldProps) => {
  const [text, setText] = useState(words.join('\n'));
  const queries = toQueries(text);
  const channel = 'channel' in place ? place.channel : null;
  /** Stays while its job runs, and says what it has cost. */
  const [unread, setUnread] = useState<string | null>(null);
  const trial = useChange({
    change: tryWords,
    reads: [],
    onDone: ({ transcripts }) => transcripts === 0 && setUnread(channel),
  });
  const invalid = invalidLine(trial.error ?? error, queries);
  const change = (next: string) => {
    setText(next);
    onWords(toQueries(next));
    trial.reset();
  };
  return (
    <>
      <Area
        label="Words to watch for"
        rows={3}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        hint='One search a line, up to 20. "Quotes" make a phrase, and -word leaves passages out.'
      />
      <p className="row">
        <button
          className="button small"
          type="button"
          disabled={trial.isPending || queries.length === 0}
          onClick={() => trial.mutate({ queries, place })}
        >
          Try these words
        </button>
        <span className="soft" role="status">
          {trial.data && trialSentence(trial.data, Object.keys(place).length > 0)}
        </span>
      </p>
      <Failure error={trial.error} />
      {invalid && (
        <p role="alert">
          This line cannot be searched: <bdi>{invalid}</bdi>
        </p>
      )}
      {channel !== null && unread === channel && (
        <FetchNewest
          key={channel}
          channel={channel}
          onEnd={(delivered) => trial.mutate({ queries, place, wanted: delivered })}
        />
      )}
      {trial.data && <Matches matches={trial.data.matches} />}
    </>
  );
};

/** Words are found in transcripts, so they need these. */
export const FetchField = ({ isNeeded, isOn = false }: { isNeeded: boolean; isOn?: boolean }) => (
  <Check
    key={String(isNeeded)}
    name="auto_fetch"
    label="Fetch new transcripts by a job"
    disabled={isNeeded}
    defaultChecked={isNeeded || isOn}
    hint={
      isNeeded
        ? 'The words are looked for in them: 1 credit for each new video, none if it is cached.'
        : '1 credit each, none if it is cached. Watching itself is free.'
    }
  />
);
