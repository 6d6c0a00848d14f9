import { type ReplyOf, transcriptFetcher } from '@tds/contracts';
import { each, onSchedule, walk } from '@tds/service-kit';
import type { CallContext } from '../application/call-context.ts';
import { changeJob } from '../application/change-job.ts';
import { forgetLine } from '../application/reopen-line.ts';
import { takeNews } from '../application/take-news.ts';
import type { Deps } from '../deps.ts';
import { type Compared, noteHeard, unheardJobs } from '../store/clocks.ts';

type Line = ReplyOf<typeof transcriptFetcher.lineVersions>['lines'][number];
type Standing = 'same' | 'news' | 'lost';

/** What the fetcher's line says of the job: nothing is new, it has news, or the fetcher has lost some of its rows. */
const standingOf = ({ lineVersion, atFetcher }: Compared, line: Line | undefined): Standing => {
  if (!line || line.version < lineVersion) return 'lost';
  if (line.version > lineVersion) return 'news';
  return line.openRows < atFetcher ? 'lost' : 'same';
};

const comparePage = async (deps: Deps, page: readonly Compared[], context: CallContext): Promise<void> => {
  const lineIds = page.map(({ id }) => id);
  const { lines } = await deps.call(transcriptFetcher.lineVersions, { lineIds }, context);
  const found = new Map(lines.map((line) => [line.lineId, line]));
  const same = page.filter((job) => standingOf(job, found.get(job.id)) === 'same');
  await noteHeard(
    deps.db,
    same.map(({ id }) => id),
  );
  await each<Compared>(async (job) => {
    const standing = standingOf(job, found.get(job.id));
    if (standing === 'news') await takeNews(deps, job.id, context);
    if (standing === 'lost') await changeJob(deps, job.id, forgetLine);
  })(page);
};

/** Finds what no hint has told of: jobs with rows at the fetcher are compared by versions and counts, never row by row. */
export const compareLines = onSchedule((deps: Deps, context) =>
  walk<Compared>(
    (after) => unheardJobs(deps.db, deps.limits.unheardMs, after?.id),
    (page) => comparePage(deps, page, context),
    context.signal,
  ),
);
