import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import type { deliveryFaults, FaultName } from '../faults/fault.ts';
import type { Answer } from './answer.ts';

const DRIP_INTERVAL_MS = 250;
const ENDLESS_BYTES = 10 * 1024 ** 3;
const CHUNK = Buffer.alloc(65_536, 'A');
/** Looks like the start of a right answer, so that a streaming reader goes on reading. */
const OPENING = Buffer.from('{"responseContext":{"visitorData":"');

/** One byte at a time, for as long as the client stays. */
const dripSlowly = (response: ServerResponse, body: string): void => {
  const bytes = Buffer.from(body);
  let offset = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(offset, offset + 1));
    offset += 1;
    if (offset < bytes.length) return;
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
const streamEndlessly = async (response: ServerResponse): Promise<void> => {
  try {
    await pipeline(Readable.from(endlessChunks()), response);
  } catch {
    // The client hung up, which is what a reader with a limit has to do.
  }
};

type DeliveryFault = (typeof deliveryFaults)[number];
type Delivery = (response: ServerResponse, answer: Answer, request: IncomingMessage) => void | Promise<void>;

const gzip = promisify(gzipCallback);
const FAST_COMPRESSION = { level: 1 };
/** Smaller answers are not compressed, which saves the simulator's CPU. */
const COMPRESS_FROM_BYTES = 65_536;

const writeHeaders = (
  response: ServerResponse,
  answer: Answer,
  more: Record<string, string | number> = {},
): void => {
  response.writeHead(answer.status, { 'content-type': answer.contentType, ...answer.headers, ...more });
};

const sendWhole: Delivery = async (response, answer, request) => {
  const bytes = Buffer.from(answer.body);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (bytes.length >= COMPRESS_FROM_BYTES && accepted.includes('gzip')) {
    const packed = await gzip(bytes, FAST_COMPRESSION);
    writeHeaders(response, answer, { 'content-encoding': 'gzip', 'content-length': packed.length });
    response.end(packed);
    return;
  }
  writeHeaders(response, answer, { 'content-length': bytes.length });
  response.end(bytes);
};

const half = <Bytes extends string | Buffer>(bytes: Bytes): number => Math.floor(bytes.length / 2);

const deliveries: Record<DeliveryFault, Delivery> = {
  slow: sendWhole,
  // Never answered: the socket ends with the client or with the simulator.
  hang: () => undefined,
  slow_drip: (response, answer) => {
    writeHeaders(response, answer);
    dripSlowly(response, answer.body);
  },
  truncated_json: (response, answer) => {
    writeHeaders(response, answer);
    response.end(answer.body.slice(0, half(answer.body)));
  },
  truncated_gzip: async (response, answer) => {
    const packed = await gzip(answer.body);
    writeHeaders(response, answer, { 'content-encoding': 'gzip' });
    response.end(packed.subarray(0, half(packed)));
  },
  endless_body: (response, answer) => {
    writeHeaders(response, answer);
    return streamEndlessly(response);
  },
  reset: (response) => {
    response.socket?.resetAndDestroy();
  },
};

const isDeliveryFault = (fault: FaultName): fault is DeliveryFault => Object.hasOwn(deliveries, fault);

/** Sends an answer, damaged or delayed as the fault says. */
export const deliver = async (
  fault: FaultName | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> => {
  const delivery = fault !== undefined && isDeliveryFault(fault) ? deliveries[fault] : sendWhole;
  await delivery(response, answer, request);
};
