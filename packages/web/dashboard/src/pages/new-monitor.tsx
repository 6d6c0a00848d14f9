import { useQuery } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toQueries } from '../api/monitor-words.ts';
import { monitorsQuery, webhookQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { monitorSource } from '../job-plan.ts';
import { SPOKEN } from '../languages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field, readText, Select } from '../parts/field.tsx';
import { LanguageField } from '../parts/language-field.tsx';
import { MailField, MONITOR_MAILS, OnlyMatches } from '../parts/mail-field.tsx';
import { ReadState } from '../parts/read-state.tsx';
import { ReceiversField, receiversOf } from '../parts/receivers-field.tsx';
import { forgetDrafts, useDraft } from '../parts/use-draft.ts';
import { FetchField, WordsField } from './words-field.tsx';

/** What an address such as .../shorts names goes before all. */
const CONTENTS = [
  ['', 'All, or those that the address names'],
  ...(['videos', 'shorts', 'streams'] as const).map((kind) => [kind, `Only ${kind}`] as const),
] as const;

const [SOURCE, WORDS] = ['new-monitor source', 'new-monitor words'];

export const NewMonitor = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [once] = useState(() => crypto.randomUUID());
  const [source, setSource] = useDraft(SOURCE);
  const [lines, setLines] = useDraft(WORDS);
  const words = toQueries(lines);
  const webhook = useQuery(webhookQuery);
  const create = useChange({
    change: (body: object) =>
      withKey((key) => send<Answer<'createMonitor', 201>>('POST', '/v1/monitors', { body, once, key })),
    reads: [monitorsQuery.queryKey],
    onDone: ({ monitor }) => {
      forgetDrafts(SOURCE, WORDS);
      navigate(`/monitors/${monitor.id}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      ...monitorSource(source),
      contents: readText(form, 'contents') || undefined,
      words,
      auto_fetch: words.length > 0 || form.has('auto_fetch'),
      mail: readText(form, 'mail'),
      mail_only_matches: form.has('mail_only_matches'),
      ...receiversOf(form),
      language: readText(form, 'language'),
      fallback: true,
    });
  };
  const place = monitorSource(source);
  return (
    <Dialog title="New monitor" onClose={onClose}>
      <form onSubmit={submit}>
        <Failure error={create.error} />
        <ReadState of={webhook} />
        <Field
          label="Channel or playlist"
          name="source"
          required
          autoComplete="off"
          placeholder="@handle"
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
          hint="Its address, a handle, or an id. Videos that are there now are not new."
        />
        {'channel' in place && <Select label="Videos of a channel" name="contents" options={CONTENTS} />}
        <WordsField
          words={words}
          onWords={(queries) => setLines(queries.join('\n'))}
          place={source !== '' && 'channel' in place ? place : {}}
          error={create.error}
        />
        <FetchField isNeeded={words.length > 0} />
        <LanguageField value={SPOKEN} />
        <MailField value="daily" now="At once" hint={MONITOR_MAILS} weekly />
        <OnlyMatches isOn={false} />
        <ReceiversField />
        {webhook.data?.webhook === null && (
          <p className="note">
            A program can be called too, by a <Link href="/webhooks">webhook</Link>.
          </p>
        )}
        <div className="row end">
          <button className="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="button first" type="submit" disabled={create.isPending}>
            Watch it
          </button>
        </div>
      </form>
    </Dialog>
  );
};
