import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveHelper } from '../support/helper.ts';

/** Opens many streams and holds them; each counts when its first event has come. */

const AT_ONCE = 100;
const FIRST_EVENT_WITHIN_MS = 60_000;
const BUSY = 'HTTP/1.1 503 ';
const RETRY_AFTER_MS = 1_000;
const ATTEMPTS = 30;

export type StreamAsk = { readonly path: string; readonly key: string };
export type StreamsOptions = { readonly port: number; readonly asks: readonly StreamAsk[] };
export type Opened = { readonly streams: number; readonly first: string };

let held: Socket[] = [];

/** The stream's head and first event; null if the service is too busy to begin it. */
const openOne = (port: number, { path, key }: StreamAsk): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    const late = setTimeout(() => reject(new Error(`no event: ${text}`)), FIRST_EVENT_WITHIN_MS);
    const finish = (first: string | null) => {
      clearTimeout(late);
      socket.off('data', read).resume();
      if (first === null) socket.destroy();
      else held.push(socket);
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
const openPatiently = async (port: number, ask: StreamAsk): Promise<string> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = await openOne(port, ask);
    if (first !== null) return first;
    await delay(RETRY_AFTER_MS);
  }
  throw new Error(`${ask.path} is refused`);
};

const open = async ({ port, asks }: StreamsOptions): Promise<Opened> => {
  let first = '';
  const left = asks.values();
  const worker = async () => {
    for (const ask of left) first = await openPatiently(port, ask);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { streams: held.filter(({ destroyed }) => !destroyed).length, first };
};

serveHelper({
  open,
  /** The number of streams that are still open. */
  count: () => held.filter(({ readable }) => readable).length,
  close: () => {
    for (const socket of held) socket.destroy();
    held = [];
  },
});
