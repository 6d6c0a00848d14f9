import type { JobData, TranscriptFormat } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type Download, downloadArchive } from '../api/download.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { Icon } from '../icon.tsx';
import { Command } from '../parts/copy.tsx';
import { Failure } from '../parts/failure.tsx';
import { Check, Field, readText } from '../parts/field.tsx';
import { FormatField } from '../parts/format-field.tsx';
import { Box } from '../parts/page.tsx';
import { bytes, isOver, jobName } from '../words.ts';

type Choice = Parameters<typeof downloadArchive>[0]['choice'];

const useDownload = (job: JobData) => {
  const [parts, setParts] = useState<readonly Download[]>([]);
  const download = useChange({
    change: (choice: Choice) => {
      setParts([]);
      const onProgress = (next: Download) =>
        setParts((known) => [...known.filter(({ part }) => part !== next.part), next]);
      return withKey((key) => downloadArchive({ jobId: job.id, name: jobName(job), choice, key, onProgress }));
    },
    reads: [],
  });
  return { parts, ...download };
};

const Progress = ({ parts }: { parts: readonly Download[] }) => (
  <div role="status">
    {parts.map(({ part, of, received, bytes: all }) => (
      <p key={part} className="note">
        {of > 1 ? `Part ${part} of ${of}: ` : ''}
        {received === all ? `${bytes(all)} saved and checked` : `${bytes(received)} of ${bytes(all)}`}
      </p>
    ))}
  </div>
);

const formOf = (event: FormEvent<HTMLFormElement>): FormData => {
  event.preventDefault();
  return new FormData(event.currentTarget);
};

const ZipForm = ({ job }: { job: JobData }) => {
  const [format, setFormat] = useState<TranscriptFormat>(job.format);
  const { parts, error, isPending, mutate } = useDownload(job);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const frontMatter = formOf(event).has('front_matter') || undefined;
    mutate({ archive: { formats: [format], frontMatter } });
  };
  return (
    <form onSubmit={submit}>
      <Failure error={error} />
      <div className="row bottom">
        <FormatField value={format} onChoose={setFormat} />
        <button className="button first" type="submit" disabled={isPending}>
          <Icon name="download" />
          {isPending ? 'Preparing…' : 'Download the ZIP'}
        </button>
      </div>
      {format === 'md' && (
        <Check
          name="front_matter"
          label="With front matter"
          hint="For notes, such as in Obsidian: title, channel, day, length, language and address as YAML"
        />
      )}
      <Progress parts={parts} />
    </form>
  );
};

/** What a free notebook of the best known service takes as one source. */
const NOTEBOOK_WORDS = 500_000;
const LIMITS = { min: 1_000, max: 1_000_000 } as const;

const DocumentForm = ({ job }: { job: JobData }) => {
  const [isInParts, setInParts] = useState(false);
  const { parts, error, isPending, mutate } = useDownload(job);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const words = readText(formOf(event), 'max_words');
    mutate({ document: { maxWords: words === '' ? undefined : Number(words) } });
  };
  return (
    <form onSubmit={submit}>
      <Failure error={error} />
      <Check
        label="In parts, for notebooks"
        hint="A ZIP of numbered texts, for services that take few sources"
        checked={isInParts}
        onChange={({ target }) => setInParts(target.checked)}
      />
      <div className="row bottom">
        {isInParts && (
          <Field
            label="Words of a part, at most"
            name="max_words"
            type="number"
            required
            defaultValue={NOTEBOOK_WORDS}
            {...LIMITS}
          />
        )}
        <button className="button" type="submit" disabled={isPending}>
          <Icon name="download" />
          {isPending ? 'Preparing…' : `Download ${isInParts ? 'the parts' : 'one document (.md)'}`}
        </button>
      </div>
      <Progress parts={parts} />
    </form>
  );
};

export const JobFiles = ({ job }: { job: JobData }) => {
  const manifest = `/v1/jobs/${job.id}/manifest`;
  return (
    <Box title="Files">
      {isOver(job) ? <ZipForm job={job} /> : <p className="soft">The ZIP is ready when the job has ended.</p>}
      {isOver(job) && <DocumentForm job={job} />}
      <p className="row">
        <a className="button small" href={`${manifest}?format=csv`} download>
          List as CSV
        </a>
        <a className="button small" href={manifest} download={`${job.id}.json`}>
          List as JSON
        </a>
        <Link className="button small" href={`/library?job=${job.id}`}>
          Search in its transcripts
        </Link>
      </p>
      <details>
        <summary>From a terminal</summary>
        <Command
          label="Download the ZIP"
          text={`curl -fLOJ -H "Authorization: Bearer $TRANSCRIPTS_API_KEY" \\\n  "${location.origin}/v1/jobs/${job.id}/archive"`}
        />
      </details>
    </Box>
  );
};
