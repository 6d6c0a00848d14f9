import { bulkOrchestrator, type ManifestRow, routes } from '@tds/contracts';
import { deliveredDigests, languageOf, manifestCsv, manifestEntries, type StoredRow } from '@tds/job-files';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { jobIdOf } from './job-ids.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.getJobManifest);

const stored = (row: ManifestRow): StoredRow[] => {
  const { video_id: videoId, object_key: objectKey, bytes, sha256 } = row;
  const language = languageOf(row);
  if (language === null || objectKey === null || bytes === null || sha256 === null) return [];
  return [{ videoId, language, objectKey, bytes, sha256 }];
};

/** The manifest as it is now, also of a job that is under way. */
export const getJobManifest = onRoute(
  routes.getJobManifest,
  async ({ call, objects }: Pick<Deps, 'call' | 'objects'>, input) => {
    const { accountId } = input.principal;
    const asked = { accountId, jobId: jobIdOf(input) };
    const { job, rows } = await call(bulkOrchestrator.getJobManifest, asked, input.callContext);
    const { id: job_id, monitor_id, status, format } = job;
    const digests = await deliveredDigests(format, rows.flatMap(stored), objects.getAll);
    const entries = manifestEntries(rows, { format, digests });
    if (input.query.format === 'csv') {
      const headers = { 'Content-Disposition': `attachment; filename="manifest_${job_id}.csv"` };
      return compressible(answers.composed('text/csv; charset=utf-8', manifestCsv(entries), { headers }));
    }
    return compressible(answers.json({ job_id, monitor_id, status, format, rows: entries }));
  },
);
