import type { JobData, TranscriptFormat } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type Download, downloadArchive } from '../api/download.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { Command } from '../parts/copy.tsx';
import { Failure } from '../parts/failure.tsx';
import { Select, textOf } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Box } from '../parts/page.tsx';
import { bytes, isOver, nameOf } from '../words.ts';
import { formats } from './new-job.tsx';

const ZipForm = ({ job }: { job: JobData }) => {
  const [parts, setParts] = useState<readonly Download[]>([]);
  const download = useChange({
    change: (format: TranscriptFormat) => {
      setParts([]);
      const onProgress = (next: Download) =>
        setParts((known) => [...known.filter(({ part }) => part !== next.part), next]);
      return withKey((key) => downloadArchive({ jobId: job.id, name: nameOf(job), format, key, onProgress }));
    },
    reads: [],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    download.mutate(textOf(new FormData(event.currentTarget), 'format') as TranscriptFormat);
  };
  return (
    <form onSubmit={submit}>
      <Failure error={download.error} />
      <div className="row bottom">
        <Select label="Format" name="format" options={formats} defaultValue={job.format} />
        <button className="button first" type="submit" disabled={download.isPending}>
          <Icon name="download" />
          {download.isPending ? 'Preparing…' : 'Download the ZIP'}
        </button>
      </div>
      <div role="status">
        {parts.map(({ part, of, received, bytes: all }) => (
          <p key={part} className="note">
            {of > 1 ? `Part ${part} of ${of}: ` : ''}
            {received === all ? `${bytes(all)} saved and checked` : `${bytes(received)} of ${bytes(all)}`}
          </p>
        ))}
      </div>
    </form>
  );
};

export const JobFiles = ({ job }: { job: JobData }) => {
  const manifest = `/v1/jobs/${job.id}/manifest`;
  return (
    <Box title="Files">
      {isOver(job) ? <ZipForm job={job} /> : <p className="soft">The ZIP is ready when the job has ended.</p>}
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
