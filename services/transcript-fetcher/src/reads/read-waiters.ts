import { Waiters } from '@tds/base';
import { type AnsweredTranscript, MAX_TEXT_BYTES_IN_ANSWER } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { isAnswerable, type Operation } from '../domain/operation.ts';
import { toDeliveredTranscript } from '../domain/transcript.ts';
import type { EndedRow, FinishedFetch, ReadCallers, RowsEnded } from '../fetches/index.ts';
import type { Database } from '../store/database.ts';
import { project } from '../store/projection.ts';
import { findOperation } from './store/operations.ts';

/** A read that this process has just ended. It spares the callers a query. */
export type ReadOutcome = {
  readonly operation: Omit<Operation, 'accountId' | 'createdAt'>;
  /** The file, if this process has just rendered it, with the text if that is small. */
  readonly delivered: AnsweredTranscript | null;
  /** The request that opened the read reports its charge. */
  readonly isReportedToOpener: boolean;
};

type DeliveredFile = { readonly delivered: AnsweredTranscript; readonly body: Buffer };

/** The file that the opener of the fetch waits for. */
const toDeliveredFile = ({ end: { track, choice }, rendered, fetch }: FinishedFetch): DeliveredFile | null =>
  track && choice && rendered
    ? { delivered: toDeliveredTranscript(fetch, track, choice, rendered.file), body: rendered.body }
    : null;

const toReadOutcome = (
  { fetch, end, readId }: FinishedFetch,
  row: EndedRow,
  { delivered, body }: DeliveredFile,
): ReadOutcome => {
  const { videoId, language, fallback } = fetch;
  const operation = {
    ...{ id: row.id, videoId, language, fallback, format: row.format, state: 'delivered' as const },
    ...{ charge: row.charge, transcriptId: row.transcript_id, error: null, holdsCredit: false },
    isFallback: end.choice?.isFallback ?? null,
    translation: end.choice?.translation ?? null,
  };
  const isSmall = body.length <= MAX_TEXT_BYTES_IN_ANSWER;
  return {
    operation,
    delivered: isSmall ? { ...delivered, text: body.toString() } : delivered,
    isReportedToOpener: row.is_reported && row.id === readId,
  };
};

/** Callers of this process that wait for reads to end. */
export class ReadWaiters extends Waiters<ReadOutcome> implements ReadCallers {
  readonly #deps: Deps;
  /** Deadlines of the requests that opened reads, on the clock of `performance.now`. */
  readonly #openers = new Map<string, number>();

  constructor(deps: Deps) {
    super();
    this.#deps = deps;
  }

  /** Registers the request that opened `id` and waits until `deadline`, or until the result is disposed of. */
  registerOpener(id: string, deadline: number): Disposable {
    this.#openers.set(id, deadline);
    return { [Symbol.dispose]: () => this.#openers.delete(id) };
  }

  willOpenerWait(id: string, ms: number): boolean {
    return (this.#openers.get(id) ?? 0) - performance.now() > ms;
  }

  /** Answers from memory. Starts to write the projection first: a gateway that is faster reads the object store. */
  rowsEnded({ results, rows }: RowsEnded): void {
    const [result, ...remaining] = results;
    const isOne = remaining.length === 0 && rows.some(({ is_first: isFirst }) => isFirst);
    const file = isOne && result ? toDeliveredFile(result) : null;
    if (file && result) {
      void project(this.#deps, result.fetch, file.delivered, file.body).catch((error: unknown) =>
        this.#deps.log.warn('writing a file to the projection failed', { error }),
      );
    }
    for (const row of rows) this.wake(row.id, file && result ? toReadOutcome(result, row, file) : null);
  }
}

/** A waiting caller queries this often by itself, in case its wake-up was lost. */
const POLL_EVERY_MS = 1_000;

export type Wait = {
  readonly id: string;
  readonly waitMs: number;
  /** Opened by this request, so the first query would find nothing. */
  readonly isNew: boolean;
};

/** Waits until an operation ends or `waitMs` passes, and returns it as it is then; null if it does not exist. */
export async function awaitOperation(
  { db, waiters }: { readonly db: Database; readonly waiters: ReadWaiters },
  { id, waitMs, isNew }: Wait,
  signal: AbortSignal,
): Promise<ReadOutcome | null> {
  const deadline = performance.now() + waitMs;
  using _opener = isNew ? waiters.registerOpener(id, deadline) : null;
  for (let mayQuery = !isNew || waitMs === 0; ; mayQuery = true) {
    const remainingMs = deadline - performance.now();
    const next = waiters.wait(id, Math.max(0, Math.min(POLL_EVERY_MS, remainingMs)), signal);
    const operation = mayQuery ? await findOperation(db, id) : undefined;
    const isOver = remainingMs <= 0 || signal.aborted;
    if (operation !== undefined && (operation === null || isAnswerable(operation) || isOver)) {
      next.cancel();
      return operation && { operation, delivered: null, isReportedToOpener: false };
    }
    const outcome = await next.done;
    if (outcome) return outcome;
  }
}
