import { createHash } from 'node:crypto';
import type { bulkOrchestrator, ReplyOf, TranscriptFormat } from '@tds/contracts';
import { manifestEntries } from '@tds/job-files';

type Manifest = Pick<ReplyOf<typeof bulkOrchestrator.getJobManifest>, 'job' | 'rows'>;

/**
 * A digest over all that an archive says and holds: the formats, the job, and of each row its line of the manifest (position, name,
 * digest and the rest) and its file. Versions of jobs are not enough: after a database was put back they come twice.
 */
export const contentsOf = ({ job, rows }: Manifest, formats: readonly TranscriptFormat[]): string => {
  const { id, monitor_id, name, metadata, status, format } = job;
  const keys = new Map(rows.map(({ video_id, object_key }) => [video_id, object_key]));
  const lines = manifestEntries(rows, { format }).map((entry) => [entry, keys.get(entry.video_id)]);
  const text = JSON.stringify([formats, id, monitor_id, name, metadata, status, format, lines]);
  return createHash('sha256').update(text).digest('hex');
};
