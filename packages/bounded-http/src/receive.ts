import type { Dispatcher } from 'undici';
import { AnswerTooLarge } from './bounded-pools.ts';

/** The server sent too many informational answers. */
export class Announced extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`informational answers: ${status}`);
    this.status = status;
  }
}

/** Bytes read so far. The caller owns it, so that it also counts failures. */
export type Meter = { bytes: number; status: number | null };

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** An answer with its whole body, not decompressed. */
export type Received = { readonly status: number; readonly headers: Headers; readonly body: Buffer };

const OK = 200;
/** Default limit of informational answers: early hints are one or two. */
const ANNOUNCEMENTS = 4;

export type ReceiveOptions = {
  readonly signal: AbortSignal;
  readonly capBytes: number;
  readonly meter: Meter;
  readonly announcements?: number;
  /** Called with each chunk of the body, which is otherwise lost if the answer fails. */
  onChunk?(chunk: Buffer): void;
};

/**
 * Makes a request and reads its whole body, up to `capBytes`. Throws AnswerTooLarge, Announced, the signal's reason, or undici's error. Uses
 * undici's callbacks, because streams take half as much CPU again.
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
        // Has no effect after the end of the answer.
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
