import type { Answer } from '@transcript-delivery/sdk';
import { useState } from 'react';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { toQueries, trialSentence } from '../monitor-words.ts';
import { Failure } from '../parts/failure.tsx';
import { Area, Check } from '../parts/field.tsx';
import { Matches } from '../parts/matches.tsx';

type Place = { readonly channel: string } | { readonly monitor_id: string } | Record<string, never>;

type WordsFieldProps = {
  readonly words: readonly string[];
  readonly onWords: (words: string[]) => void;
  /** Whose transcripts they are tried in; the whole library if it has none. */
  readonly place: Place;
};

/** The queries of a monitor, one a line, and their trial. */
export const WordsField = ({ words, onWords, place }: WordsFieldProps) => {
  const [text, setText] = useState(words.join('\n'));
  const trial = useChange({
    change: () =>
      withKey((key) =>
        send<Answer<'tryWords'>>('POST', '/v1/library/words', {
          body: { words: toQueries(text), ...place },
          key,
        }),
      ),
    reads: [],
  });
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
          disabled={trial.isPending || toQueries(text).length === 0}
          onClick={() => trial.mutate()}
        >
          Try these words
        </button>
        <span className="soft" role="status">
          {trial.data && trialSentence(trial.data, Object.keys(place).length > 0)}
        </span>
      </p>
      <Failure error={trial.error} />
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
