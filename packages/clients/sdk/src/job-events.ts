import type { JobProgress } from './api.ts';
import { readChunks } from './chunks.ts';
import { type Connection, type RequestOptions, sleep } from './connection.ts';
import { ConnectionError } from './errors.ts';

const RECONNECT_MS = 10_000;
const NO_CONTENT = 204;

type ServerEvent = { readonly id: string; readonly data: string; readonly retryMs: number | undefined };

/** Reads a text of the format text/event-stream. */
async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.replaceAll('\r\n', '\n').split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const field = (name: string): string[] =>
        event
          .split('\n')
          .flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
      const [retry] = field('retry');
      yield {
        id: field('id').at(-1) ?? '',
        data: field('data').join('\n'),
        retryMs: retry ? Number(retry) : undefined,
      };
    }
  }
}

export const hasEnded = ({ status }: Pick<JobProgress, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/** The progress of a job until its end, over as many streams as it takes. */
export async function* jobEvents(
  connection: Connection,
  jobId: string,
  options: RequestOptions = {},
): AsyncGenerator<JobProgress> {
  const { signal, timeoutMs: idleMs = connection.timeoutMs } = options;
  let [lastId, reconnectMs] = ['', RECONNECT_MS];
  for (;;) {
    const response = await connection.stream({
      ...options,
      path: `/v1/jobs/${encodeURIComponent(jobId)}/events`,
      headers: { Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) },
    });
    if (response.status === NO_CONTENT) return;
    try {
      for await (const { id, data, retryMs } of parseEvents(readChunks(response, { idleMs, signal }))) {
        reconnectMs = retryMs ?? reconnectMs;
        lastId = id || lastId;
        if (!data) continue;
        const progress = JSON.parse(data) as JobProgress;
        yield progress;
        if (hasEnded(progress)) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error; // a stream that broke off is opened again
    }
    await sleep(reconnectMs, signal);
  }
}
