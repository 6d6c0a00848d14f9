import { type AnsweredTranscript, LARGEST_TEXT_IN_ANSWER } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { EndedRow } from '../store/end-rows.ts';
import { describe, project } from './deliver.ts';
import type { EndingFetch } from './ended-fetch.ts';

type Needed = Pick<Deps, 'bodies' | 'waiters' | 'log'>;

/**
 * Callers of this process are answered from memory; others look after a hint. The file is on its way to the gateway's projection
 * before they are: a gateway that comes before it reads the object store.
 */
export const wakeReads = (
  deps: Needed,
  endings: readonly EndingFetch[],
  reads: readonly EndedRow[],
): void => {
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
