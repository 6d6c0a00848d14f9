import type { Dispatcher } from 'undici';
import { AnswerTooLarge } from './answer-too-large.ts';

/** The server goes on announcing an answer instead of giving it. */
export class Announced extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`informational answers: ${status}`);
    this.status = status;
  }
}

/** Bytes read so far; kept outside so that failures are counted too. */
export type Meter = { bytes: number; status: number | null };

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** An answer with its whole body, as it came over the wire. */
export type Received = { readonly status: number; readonly headers: Headers; readonly body: Buffer };

const OK = 200;
/** Informational answers that a server may send before its answer, if nothing else is said: early hints are one or two. */
const ANNOUNCEMENTS = 4;

export type ReceiveOptions = {
  readonly signal: AbortSignal;
  readonly capBytes: number;
  readonly meter: Meter;
  readonly announcements?: number;
  /** Each chunk of the body as it comes: what has come of an answer that fails is otherwise lost. */
  onChunk?(chunk: Buffer): void;
};

/**
 * One request, its body read whole; at most `capBytes`. Throws AnswerTooLarge, Announced, the signal's reason, or undici's own error. By
 * undici's own callbacks: through a stream it takes half as much CPU again.
 */
export const receive = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, capBytes, meter, announcements = ANNOUNCEMENTS, onChunk }: ReceiveOptions,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', () => giveUp(), { once: true });
    let head: Omit<Received, 'body'> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let size = 0;
    let announced = 0;
    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        // Does nothing where the answer has ended.
        giveUp = () => controller.abort(signal.reason);
        if (signal.aborted) giveUp();
      },
      onResponseStart(controller, status, headers) {
        if (status < OK) {
          announced += 1;
          if (announced > announcements) controller.abort(new Announced(status));
          return;
        }
        meter.status = status;
        head = { status, headers };
      },
      onResponseData(controller, chunk) {
        meter.bytes += chunk.length;
        size += chunk.length;
        onChunk?.(chunk);
        if (size > capBytes) controller.abort(new AnswerTooLarge(capBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ ...head, body: Buffer.concat(chunks) }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
