import type { Body, Monitor } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { monitorsQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { OnlyMatches } from '../parts/mail-field.tsx';
import { Box } from '../parts/page.tsx';
import { ReceiversField, receiversOf } from '../parts/receivers-field.tsx';
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
      mail_only_matches: form.has('mail_only_matches'),
      ...receiversOf(form),
    });
  };
  return (
    <Box title="Words">
      <form onSubmit={submit} onChange={() => change.reset()}>
        <WordsField
          words={monitor.words}
          onWords={setWords}
          error={change.error}
          place={monitor.channel ? { channel: monitor.channel } : { monitor_id: monitor.id }}
        />
        <FetchField isNeeded={words.length > 0} isOn={monitor.auto_fetch} />
        <OnlyMatches isOn={monitor.mail_only_matches} />
        <ReceiversField chosen={monitor.receivers} />
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
