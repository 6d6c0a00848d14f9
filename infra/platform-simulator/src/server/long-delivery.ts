import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const DRIP_INTERVAL_MS = 250;
const ENDLESS_BYTES = 10 * 1024 ** 3;
const CHUNK = Buffer.alloc(65_536, 'A');
/** Looks like the start of a right answer, so that a streaming reader goes on reading. */
const OPENING = Buffer.from('{"responseContext":{"visitorData":"');

/** One byte at a time, for as long as the client stays. */
export const dripSlowly = (response: ServerResponse, body: string): void => {
  const bytes = Buffer.from(body);
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + 1));
    sent += 1;
    if (sent < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, DRIP_INTERVAL_MS);
  response.on('close', () => clearInterval(timer));
};

function* endlessChunks(): Generator<Buffer> {
  yield OPENING;
  for (let sent = 0; sent < ENDLESS_BYTES; sent += CHUNK.length) yield CHUNK;
}

/** Ten gigabytes without a length, only as fast as the client reads. */
export const streamEndlessly = async (response: ServerResponse): Promise<void> => {
  try {
    await pipeline(Readable.from(endlessChunks()), response);
  } catch {
    // The client hung up, which is what a reader with a limit has to do.
  }
};
