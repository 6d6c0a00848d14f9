import { bulkOrchestrator, type ManifestRow, routes } from '@tds/contracts';
import { deliveredDigests, languageOf, manifestCsv, manifestEntries, type StoredRow } from '@tds/job-files';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { jobIdOf } from './job-ids.ts';
import { mendingReader } from './lost-files.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.getJobManifest);

const stored = (row: ManifestRow): (StoredRow & { readonly transcriptId: string })[] => {
  const { video_id: videoId, object_key: objectKey, transcript_id: transcriptId, bytes, sha256 } = row;
  const language = languageOf(row);
  if (language === null || objectKey === null || transcriptId === null) return [];
  return bytes === null || sha256 === null
    ? []
    : [{ videoId, language, objectKey, transcriptId, bytes, sha256 }];
};

/** The manifest as it is now, also of a job that is under way. */
export const getJobManifest = onRoute(
  routes.getJobManifest,
  async (parts: Pick<Deps, 'call' | 'objects'>, input) => {
    const { principal, callContext } = input;
    const asked = { accountId: principal.accountId, jobId: jobIdOf(input) };
    const { job, rows } = await parts.call(bulkOrchestrator.getJobManifest, asked, callContext);
    const { id: job_id, monitor_id, status, format } = job;
    const files = rows.flatMap(stored);
    const read = mendingReader(parts, format, files, callContext);
    const digests = await deliveredDigests(format, files, read);
    const entries = manifestEntries(rows, { format, digests });
    if (input.query.format === 'csv') {
      const headers = { 'Content-Disposition': `attachment; filename="manifest_${job_id}.csv"` };
      return compressible(answers.composed('text/csv; charset=utf-8', manifestCsv(entries), { headers }));
    }
    return compressible(answers.json({ job_id, monitor_id, status, format, rows: entries }));
  },
);
