import {
  bulkOrchestrator,
  type JobSummary,
  type ManifestRow,
  routes,
  type WantedTranscript,
} from '@tds/contracts';
import { deliveredDigests, languageOf, manifestCsv, manifestEntries, type StoredRow } from '@tds/job-files';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { jobIdOf } from './job-ids.ts';
import { mendingReader, wantedOf } from './lost-files.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.getJobManifest);

type StoredFile = StoredRow & { readonly transcript: WantedTranscript };

const storedIn =
  (job: JobSummary) =>
  (row: ManifestRow): StoredFile[] => {
    const { video_id: videoId, object_key: objectKey, bytes, sha256 } = row;
    const [language, transcript] = [languageOf(row), wantedOf(row, job)];
    if (language === null || objectKey === null || transcript === null) return [];
    return bytes === null || sha256 === null
      ? []
      : [{ videoId, language, objectKey, transcript, bytes, sha256 }];
  };

/** The manifest as it is now, also of a job that is under way. */
export const getJobManifest = onRoute(
  routes.getJobManifest,
  async (parts: Pick<Deps, 'call' | 'objects'>, input) => {
    const { principal, callContext } = input;
    const asked = { accountId: principal.accountId, jobId: jobIdOf(input) };
    const { job, rows } = await parts.call(bulkOrchestrator.getJobManifest, asked, callContext);
    const { id: job_id, monitor_id, name, metadata, status, format } = job;
    const files = rows.flatMap(storedIn(job));
    const read = mendingReader(parts, format, files, callContext);
    const digests = await deliveredDigests(format, files, read);
    const entries = manifestEntries(rows, { format, digests });
    if (input.query.format === 'csv') {
      const headers = { 'Content-Disposition': `attachment; filename="manifest_${job_id}.csv"` };
      return compressible(answers.composed('text/csv; charset=utf-8', manifestCsv(entries), { headers }));
    }
    return compressible(answers.json({ job_id, monitor_id, name, metadata, status, format, rows: entries }));
  },
);
