import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveHelper } from '../support/helper.ts';

/** Opens many streams and holds them; each counts when its first event has come. */

const CONCURRENCY = 100;
const FIRST_EVENT_WITHIN_MS = 60_000;
const BUSY = 'HTTP/1.1 503 ';
const RETRY_AFTER_MS = 1_000;
const ATTEMPTS = 30;

export type StreamAsk = { readonly path: string; readonly key: string };
export type StreamsOptions = { readonly port: number; readonly asks: readonly StreamAsk[] };
export type OpenResult = { readonly streams: number; readonly first: string };

let sockets: Socket[] = [];

/** The stream's head and first event; null if the service is too busy to begin it. */
const openStream = (port: number, { path, key }: StreamAsk): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    const late = setTimeout(() => reject(new Error(`no event: ${text}`)), FIRST_EVENT_WITHIN_MS);
    const finish = (first: string | null) => {
      clearTimeout(late);
      socket.off('data', read).resume();
      if (first === null) socket.destroy();
      else sockets.push(socket);
      resolve(first);
    };
    const read = (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('event: job')) finish(text);
      else if (text.startsWith(BUSY)) finish(null);
    };
    socket.on('data', read).once('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  });

/** Retries a busy answer. */
const openWithRetries = async (port: number, ask: StreamAsk): Promise<string> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = await openStream(port, ask);
    if (first !== null) return first;
    await delay(RETRY_AFTER_MS);
  }
  throw new Error(`${ask.path} is refused`);
};

const open = async ({ port, asks }: StreamsOptions): Promise<OpenResult> => {
  let first = '';
  const remaining = asks.values();
  const worker = async () => {
    for (const ask of remaining) first = await openWithRetries(port, ask);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { streams: sockets.filter(({ destroyed }) => !destroyed).length, first };
};

serveHelper({
  open,
  /** The number of streams that are still open. */
  count: () => sockets.filter(({ readable }) => readable).length,
  close: () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  },
});
