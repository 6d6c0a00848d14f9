import { ConnectionError, TranscriptsError } from './errors.ts';

type Limits = { readonly idleMs: number; readonly signal?: AbortSignal | undefined };

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;
/** What node-fetch and its relatives answer in the place of a web stream. */
type NodeStream = AsyncIterable<Uint8Array> & { destroy(): void };

export const createReader = (response: Response): Reader => {
  const body = response.body as ReadableStream<Uint8Array> | NodeStream | null;
  if (!body) throw new TranscriptsError('This fetch reads no streams: give one whose answers have a body');
  if ('getReader' in body) return body.getReader();
  const chunks = body[Symbol.asyncIterator]();
  return {
    read: () => chunks.next() as ReturnType<Reader['read']>,
    cancel: async () => body.destroy(),
  };
};

/** The pieces of a body. Throws a `ConnectionError` if it breaks off, or if no piece comes for `idleMs`. */
export async function* readChunks(response: Response, { idleMs, signal }: Limits): AsyncGenerator<Uint8Array> {
  const reader = createReader(response);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await orTimeout(reader.read(), idleMs);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectionError('The connection broke off', { cause });
  } finally {
    reader.cancel().catch(() => {}); // it may have ended or failed already
  }
}

const orTimeout = <Result>(promise: Promise<Result>, ms: number): Promise<Result> => {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${ms} ms`)), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
};
