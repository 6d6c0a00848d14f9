import { useQuery } from '@tanstack/react-query';
import type { Body, Monitor } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { matchesQuery, monitorsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { textOf } from '../parts/field.tsx';
import { MailField } from '../parts/mail-field.tsx';
import { Matches } from '../parts/matches.tsx';
import { Box } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { Pager } from '../parts/table.tsx';
import { FetchField, WordsField } from './words-field.tsx';

type Change = Body<'changeMonitor'>;

/** What a monitor watches for, and what becomes of it. */
export const MonitorSettings = ({ monitor }: { monitor: Monitor }) => {
  const [words, setWords] = useState<readonly string[]>(monitor.words);
  const change = useChange({
    change: (body: Change) => send('PATCH', `/v1/monitors/${monitor.id}`, { body }),
    reads: [monitorsQuery.queryKey],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({
      words: [...words],
      auto_fetch: words.length > 0 || form.has('auto_fetch'),
      mail: textOf(form, 'mail') as NonNullable<Change['mail']>,
    });
  };
  return (
    <Box title="Words and mail">
      <form onSubmit={submit} onChange={() => change.reset()}>
        <WordsField
          words={monitor.words}
          onWords={setWords}
          place={monitor.channel ? { channel: monitor.channel } : { monitor_id: monitor.id }}
        />
        <FetchField isNeeded={words.length > 0} isOn={monitor.auto_fetch} />
        <MailField
          value={monitor.mail}
          now="At once"
          hint="New videos, and the sentences in which your words are said."
        />
        <Failure error={change.error} />
        <p className="row">
          <button className="button first" type="submit" disabled={change.isPending}>
            Save
          </button>
          <span role="status">{change.isSuccess && 'Saved.'}</span>
        </p>
      </form>
    </Box>
  );
};

/** Where its words were said. */
export const MonitorMatches = ({ monitor }: { monitor: Monitor }) => {
  const [offset, setOffset] = useState(0);
  const found = useQuery(matchesQuery(monitor.id, offset));
  return (
    <Box title="Matches">
      <ReadState of={found} />
      {found.data?.total === 0 && (
        <p className="soft">
          {monitor.words.length > 0
            ? 'None yet. New videos are searched when their transcripts arrive.'
            : 'Enter words above, and their sentences in new videos are listed here.'}
        </p>
      )}
      {found.data && <Matches matches={found.data.matches} />}
      <Pager page={found.data} onOffset={setOffset} />
    </Box>
  );
};
