import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AnsweredTranscript, LARGEST_TEXT_IN_ANSWER, transcriptFetcher } from '@tds/contracts';
import { crashPoint, isDatabaseAway } from '@tds/service-kit';
import DataLoader from 'dataloader';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import { type EndedRow, endRows } from '../store/end-rows.ts';
import { describe, project } from './answer-operation.ts';
import { tellSoon } from './credits.ts';
import type { EndingFetch } from './worker.ts';

type Needed = Pick<Deps, 'bodies' | 'waiters' | 'log'>;

/**
 * Callers of this process are answered from memory; others look after a hint. The file is on its way to the gateway's projection
 * before they are: a gateway that comes before it reads the object store.
 */
const wakeReads = (deps: Needed, endings: readonly EndingFetch[], reads: readonly EndedRow[]): void => {
  if (reads.length === 0) return;
  const [ending, ...others] = endings;
  const file = others.length === 0 && ending && reads.some(isFirst) ? fileOf(ending) : null;
  if (file && ending) {
    void project(deps, ending.begun, file.delivered, file.body).catch((error: unknown) =>
      deps.log.warn('a file could not be projected', { error }),
    );
  }
  for (const read of reads) deps.waiters.wake(read.id, file && ending ? outcomeOf(ending, read, file) : null);
};

const isFirst = ({ is_first: first }: EndedRow): boolean => first === true;

type File = { readonly delivered: AnsweredTranscript; readonly body: Buffer };

/** The file that whoever began the fetch waits for. */
const fileOf = ({ end: { brought, choice }, rendered, begun }: EndingFetch): File | null =>
  brought && choice && rendered
    ? { delivered: describe(begun, brought, choice, rendered.file), body: rendered.body }
    : null;

const outcomeOf = ({ begun, end, openerId }: EndingFetch, read: EndedRow, { delivered, body }: File) => {
  const { videoId, language, fallback } = begun;
  const operation = {
    id: read.id,
    videoId,
    language,
    fallback,
    format: read.format,
    state: 'delivered' as const,
    charge: read.charge,
    transcriptId: read.transcript_id,
    isFallback: end.choice?.isFallback ?? null,
    translation: end.choice?.translation ?? null,
    error: null,
    holdsCredit: false,
  };
  const isSmall = body.length <= LARGEST_TEXT_IN_ANSWER;
  return {
    operation,
    delivered: isSmall ? { ...delivered, text: body.toString() } : delivered,
    isToldToOpener: read.told && read.id === openerId,
  };
};

/** How long the end of a fetch that only jobs wait for is kept back, so that others are saved with it. */
const TOGETHER_MS = 150;
const MOST_TOGETHER = 32;
const AGAIN_AFTER_MS = [200, 1_000, 3_000] as const;
/** Hundreds of times what the statement takes. A caller whose wait ends sooner may have left when it has ended. */
const SURELY_WAITING_MS = 1_000;

type NeededEndFetch = Pick<
  Deps,
  'sql' | 'db' | 'objects' | 'bodies' | 'messaging' | 'waiters' | 'call' | 'log'
>;

/** Stores and saves what fetches have come to; who waits for it is answered at once, and the ledger is told what is owed. */
const save = async (deps: NeededEndFetch, endings: readonly EndingFetch[]): Promise<void> => {
  // Two tracks may have the same cues.
  const objects = new Map(endings.flatMap((ending) => ending.objects).map((object) => [object.key, object]));
  if (objects.size > 0) await deps.objects.putAll([...objects.values()]);
  crashPoint('fetch-stored');
  const dueId = randomUUID();
  const toldTo = (id: string | null) =>
    id && deps.waiters.willOpenerWait(id, SURELY_WAITING_MS) ? id : null;
  const ends = endings.map(({ end, openerId }) => ({ ...end, toldTo: toldTo(openerId) }));
  const { ended, due } = await endRows(deps.sql, ends, dueId);
  crashPoint('fetch-ended');
  const reads = ended.filter(({ lane }) => lane === LANES.reads);
  wakeReads(
    deps,
    endings,
    reads.filter(({ transcript_id: delivered }) => delivered !== null),
  );
  hint(deps, ended);
  const failed = reads.filter(({ transcript_id: delivered }) => delivered === null);
  // Nobody sees a balance without the credit that was held for what failed.
  void tellSoon(deps, { id: dueId, rounds: due ?? [] }).then(() => wakeReads(deps, endings, failed));
};

const hint = ({ messaging }: NeededEndFetch, ended: readonly EndedRow[]): void => {
  if (ended.length === 0) return;
  const reads = ended.filter(({ lane }) => lane === LANES.reads).map(({ id }) => id);
  const news = ended.flatMap(({ line_id: lineId, version, is_over: isOver }) =>
    lineId ? [[lineId, { lineId, version, isOver: isOver === true }] as const] : [],
  );
  messaging.hint(transcriptFetcher.rowsEnded, {
    reads,
    lines: [...new Map(news).values()],
  });
};

/** While a database is away, what has been fetched is kept for some seconds. */
const patiently = async (work: () => Promise<void>): Promise<void> => {
  for (const pauseMs of AGAIN_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await pause(pauseMs);
    }
  }
  await work();
};

/** Ends fetches: at once if somebody waits for it, otherwise those that end at about the same time in one statement. */
type EndFetch = (ending: EndingFetch, isLast: boolean) => Promise<void>;

export const createEndFetch = (deps: NeededEndFetch): EndFetch => {
  const alone = (ending: EndingFetch) => patiently(() => save(deps, [ending]));
  let collecting: { readonly begin: () => void; readonly timer: NodeJS.Timeout } | null = null;
  const flush = (): void => {
    const mine = collecting;
    collecting = null;
    clearTimeout(mine?.timer);
    mine?.begin();
  };
  const loader = new DataLoader<EndingFetch, null | Error>(
    async (endings) => {
      try {
        await patiently(() => save(deps, endings));
        return endings.map(() => null);
      } catch (error) {
        if (endings.length === 1 || isDatabaseAway(error)) throw error;
        // So that only the one at fault fails.
        return await Promise.all(endings.map((ending) => alone(ending).then(() => null, toError)));
      }
    },
    {
      cache: false,
      maxBatchSize: MOST_TOGETHER,
      batchScheduleFn: (begin) => {
        flush();
        collecting = { begin, timer: setTimeout(flush, TOGETHER_MS) };
      },
    },
  );
  return async (ending, isLast) => {
    if (ending.openerId !== null) return await alone(ending);
    const saved = loader.load(ending);
    if (isLast) flush();
    await saved;
  };
};

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
