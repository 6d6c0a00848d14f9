import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Account, Answer, Body } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { findVideos } from '../api/find-videos.ts';
import { accountQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { type Found, type Plan, planOf } from '../job-plan.ts';
import { SPOKEN } from '../languages.ts';
import { Failure } from '../parts/failure.tsx';
import { Area, Check, Field, readText } from '../parts/field.tsx';
import { FormatField } from '../parts/format-field.tsx';
import { LanguageField } from '../parts/language-field.tsx';
import { MailField } from '../parts/mail-field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { ReceiversField, receiversOf } from '../parts/receivers-field.tsx';
import { forgetDrafts, useDraft } from '../parts/use-draft.ts';
import { findHindrance } from '../words.ts';
import { JobCost } from './job-cost.tsx';

const DRAFT = 'new-job';

const Source = ({ text, onText }: { text: string; onText: (text: string) => void }) => {
  const read = async (file: File | undefined) => {
    if (file) onText(await file.text());
  };
  return (
    <Area
      label="Videos"
      rows={4}
      required
      value={text}
      placeholder="https://www.youtube.com/@channel"
      onChange={(event) => onText(event.currentTarget.value)}
      hint={
        <>
          The address of a channel or a playlist, a handle, or any text with links. Or a file:{' '}
          <input
            type="file"
            accept="text/plain,text/csv,.txt,.csv,.md"
            aria-label="A file with links or ids"
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        </>
      }
    />
  );
};

/** The body of a job, from the form and what was found. */
const jobOf = (form: FormData, { input }: Found, { newest }: Plan): Body<'createJob'> => {
  const name = readText(form, 'name');
  return {
    input,
    format: readText(form, 'format') as NonNullable<Body<'createJob'>['format']>,
    language: readText(form, 'language'),
    fallback: form.has('fallback'),
    mail: readText(form, 'mail') as NonNullable<Body<'createJob'>['mail']>,
    ...receiversOf(form),
    ...(newest && { newest }),
    ...(name && { name }),
  };
};

const JobFields = () => (
  <>
    <FormatField />
    <LanguageField value={SPOKEN} />
    <Field label="Name of the job" name="name" maxLength={120} placeholder="Optional" autoComplete="off" />
    <MailField value="none" now="When it ends" />
    <ReceiversField />
  </>
);

type StartProps = { readonly found: Found; readonly account: Account };

const Start = ({ found, account }: StartProps) => {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [once] = useState(() => crypto.randomUUID());
  const [wanted, setWanted] = useState('');
  const [language, setLanguage] = useState<string>(SPOKEN);
  const { videos_per_job } = account.limits;
  const plan = planOf(found, wanted === '' ? null : Number(wanted), videos_per_job, language);
  const hindrance = findHindrance(account, plan.most);
  const start = useChange({
    change: (body: Body<'createJob'>) =>
      withKey((key) => send<Answer<'createJob', 202>>('POST', '/v1/jobs', { body, once, key })),
    reads: [['jobs', 'list'], accountQuery.queryKey],
    onDone: (answer) => {
      forgetDrafts(DRAFT);
      client.setQueryData(['jobs', answer.job.id], answer);
      navigate(`/jobs/${answer.job.id}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start.mutate(jobOf(new FormData(event.currentTarget), found, plan));
  };
  const newest = found.kind === 'channel' ? 'Only the newest' : 'Only the first';
  return (
    <Box title="Before it starts">
      <JobCost found={found} plan={plan} account={account} language={language} />
      <form
        onSubmit={submit}
        onChange={({ currentTarget }) => setLanguage(readText(new FormData(currentTarget), 'language'))}
      >
        <div className="columns">
          <Field
            label={newest}
            type="number"
            min={1}
            max={videos_per_job}
            inputMode="numeric"
            placeholder={`All, up to ${videos_per_job}`}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <JobFields />
        </div>
        <Check
          name="fallback"
          defaultChecked
          label="Take another language if this one is missing"
          hint="The row says which one it is."
        />
        <Failure error={start.error} />
        <div className="row">
          <button
            className="button first"
            type="submit"
            disabled={start.isPending || plan.count === 0 || hindrance !== null}
          >
            Start the job
          </button>
          {hindrance && (
            <span>
              {hindrance} Take fewer videos, or <Link href="/billing">buy credits</Link>.
            </span>
          )}
        </div>
      </form>
    </Box>
  );
};

const Find = () => {
  const { data: account } = useQuery(accountQuery);
  const [text, setText] = useDraft(DRAFT);
  const find = useChange({
    change: (source: string) => withKey((key) => findVideos(source, key)),
    reads: [],
  });
  const change = (next: string) => {
    setText(next);
    find.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    find.mutate(text);
  };
  return (
    <>
      <Box>
        <form onSubmit={submit}>
          <Source text={text} onText={change} />
          <Failure error={find.error} />
          <p className="row">
            <button className={find.data ? 'button' : 'button first'} type="submit" disabled={find.isPending}>
              {find.isPending ? 'Looking…' : 'Find the videos'}
            </button>
            <span className="soft">This is free.</span>
          </p>
        </form>
      </Box>
      {find.data && account && <Start key={find.submittedAt} found={find.data} account={account} />}
    </>
  );
};

export const NewJob = () => (
  <Page title="New job" note="Fetched transcripts cost 1 credit each. Cached ones and failures cost nothing.">
    <Find />
  </Page>
);
