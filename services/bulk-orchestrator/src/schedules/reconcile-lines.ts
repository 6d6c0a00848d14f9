import { MOST_LINES_A_PAGE, type ReplyOf, transcriptFetcher } from '@tds/contracts';
import { each, onSchedule, walk } from '@tds/service-kit';
import type { CallContext } from '../application/call-context.ts';
import { takeNews } from '../application/take-news.ts';
import type { Deps } from '../deps.ts';
import { knownLines } from '../store/clocks.ts';

const HOUR_MS = 3_600_000;
/** A young line may be one whose job is being saved: fetchers list those of more than ten minutes. */
const YOUNG_MS = 660_000;

/** Nothing was compared yet, and what is young by then is compared when it is not. */
export const unreconciled = (): Deps['reconciled'] => ({ nextAt: 0, thenInMs: YOUNG_MS });

type Line = ReplyOf<typeof transcriptFetcher.listLines>['lines'][number];

const reconcilePage = async (deps: Deps, page: readonly Line[], context: CallContext): Promise<void> => {
  const { db, call } = deps;
  const lineIds = page.map(({ lineId }) => lineId);
  const { lines } = await call(transcriptFetcher.lineVersions, { lineIds }, context);
  const versions = new Map(lines.map(({ lineId, version }) => [lineId, version]));
  const saved = new Map((await knownLines(db, lineIds)).map(({ id, lineVersion }) => [id, lineVersion]));
  await each<Line>(async (line) => {
    const version = saved.get(line.lineId);
    if (version === undefined) await call(transcriptFetcher.disownLine, line, context);
    else if (version !== versions.get(line.lineId)) await takeNews(deps, line.lineId, context);
  })(page);
};

/**
 * After this database was put back to an earlier state: lines that no job knows are stopped, and what was charged for them is given
 * back; those of jobs that had ended, or seemed so, have their news read. At the start, when that is noticed, when the lines of then are no
 * longer young, and each hour.
 */
export const reconcileLines = onSchedule(async (deps: Deps, context): Promise<void> => {
  const { call, reconciled } = deps;
  if (performance.now() < reconciled.nextAt) return;
  const limit = MOST_LINES_A_PAGE;
  const find = async (after: Line | null) =>
    (await call(transcriptFetcher.listLines, { after: after?.lineId ?? null, limit }, context)).lines;
  await walk(find, (page) => reconcilePage(deps, page, context), context.signal);
  reconciled.nextAt = performance.now() + reconciled.thenInMs;
  reconciled.thenInMs = HOUR_MS;
});
