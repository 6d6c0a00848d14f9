import type { Readable } from 'node:stream';
import { LONGEST_SHOWN_ANSWER } from '@tds/contracts';

const MOST_BYTES = 64 * 1_024;
/** Databases take no NUL, and pages no other control characters. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

export type ReadAnswer = {
  readonly shown: string;
  readonly fault: 'answer_too_large' | 'answer_incomplete' | null;
};

/** Bytes of no known encoding, such as compressed ones, become the sign for what cannot be shown. */
const shownText = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks)
    .subarray(0, LONGEST_SHOWN_ANSWER)
    .toString('utf8')
    .replace(CONTROLS, '\ufffd')
    .slice(0, LONGEST_SHOWN_ANSWER);

/** Reads 64 KiB of an answer at most, and keeps its beginning. Throws only what `signal` says. */
export const readAnswer = async (body: Readable, signal: AbortSignal): Promise<ReadAnswer> => {
  const kept: Buffer[] = [];
  let bytes = 0;
  const answer = (fault: ReadAnswer['fault']) => ({ shown: shownText(kept), fault });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < LONGEST_SHOWN_ANSWER) kept.push(chunk);
      bytes += chunk.length;
      // Leaving the loop destroys the body, and so the connection.
      if (bytes > MOST_BYTES) return answer('answer_too_large');
    }
    return answer(null);
  } catch {
    signal.throwIfAborted();
    return answer('answer_incomplete');
  }
};
