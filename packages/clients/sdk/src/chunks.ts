import { ConnectionError } from './errors.ts';

type Limits = { readonly idleMs: number; readonly signal?: AbortSignal | undefined };

/** The pieces of a body. Throws a `ConnectionError` if it breaks off, or if no piece comes for `idleMs`. */
export async function* chunksOf({ body }: Response, { idleMs, signal }: Limits): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
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
