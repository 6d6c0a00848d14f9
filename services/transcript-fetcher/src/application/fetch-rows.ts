import type { BatchOutcome, BatchRow } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { standingOf } from '../domain/batch-row.ts';
import { findBatchRows } from '../store/batch-rows.ts';
import { type BatchRequest, openRows } from './open-rows.ts';
import { restoreRows } from './restore-rows.ts';
import { outcomesOf } from './row-outcomes.ts';
import { type Watch, watch } from './watch.ts';

/** How often all rows are looked at, should a wake-up be lost. */
const LOOK_EVERY_MS = 1_000;

/** Answers what of the rows has ended, opens what nobody has opened, and waits until something ends or the wait is over. */
export async function fetchRows(
  deps: Deps,
  request: BatchRequest,
  { signal }: Pick<Context, 'signal'>,
): Promise<BatchOutcome[]> {
  const deadline = performance.now() + request.waitMs;
  const watching = watch(deps.waiters);
  // Before the first look, so that no end is missed.
  watching.add(request.rows.map(({ operationId }) => operationId));
  const waitingFor = new Map(request.rows.map((row) => [row.operationId, [row]]));
  try {
    // Most rows of a batch that is sent again have not ended, and the others have been woken.
    let rows = request.rows.filter(({ operationId }) => !deps.waiters.isBelievedOpen(operationId));
    for (;;) {
      const outcomes = await advance(deps, request, rows, { watching, waitingFor });
      const remainingMs = deadline - performance.now();
      if (outcomes.length > 0 || remainingMs <= 0 || signal.aborted) return outcomes;
      const woken = await watching.next(Math.min(LOOK_EVERY_MS, remainingMs), signal);
      const ended = [...woken].flatMap((id) => waitingFor.get(id) ?? []);
      rows = ended.length > 0 ? ended : request.rows;
    }
  } finally {
    watching.close();
  }
}

type Waiting = { readonly watching: Watch; readonly waitingFor: Map<string, BatchRow[]> };

/** One look at these rows: the outcomes of those that have ended, and an operation for each that nobody knows or that is lost. */
async function advance(
  deps: Deps,
  request: BatchRequest,
  rows: readonly BatchRow[],
  { watching, waitingFor }: Waiting,
): Promise<BatchOutcome[]> {
  if (rows.length === 0) return [];
  const { waiters, now } = deps;
  // Before the look: whatever ends from now on takes this back.
  waiters.believeOpen(rows.map(({ operationId }) => operationId));
  const at = now();
  const found = await findBatchRows(deps.sql, rows, request);
  const standings = found.map((row) => [row, standingOf(row, request, at)] as const);
  const unknown = standings.flatMap(([{ entry, ...row }, { kind }]) =>
    kind === 'unknown' ? [{ ...row, seen: entry.selection !== null || entry.fact !== null }] : [],
  );
  const [told, opened] = await Promise.all([
    outcomesOf(deps, request, standings),
    openRows(deps, request, unknown),
  ]);
  const restored = await restoreRows(deps, request, told.lost);
  const begun = [...opened.waiting, ...restored.waiting];
  for (const { row, openedId } of begun) {
    if (openedId === row.operationId) continue;
    watching.add([openedId]);
    waitingFor.set(openedId, [...(waitingFor.get(openedId) ?? []), row]);
  }
  const ownOpened = new Set(begun.map(({ openedId }) => openedId));
  for (const [{ operationId }, { kind }] of standings)
    if (kind !== 'under way' && !ownOpened.has(operationId)) waiters.doubtOpen(operationId);
  return [...told.outcomes, ...opened.refused, ...restored.outcomes];
}
