import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { AnswerTooLarge } from './answer-too-large.ts';

/** The parser gets so much in one turn of the event loop: timers and other connections have theirs in between. */
const BYTES_OF_A_TURN = 32 * 1_024;

/**
 * Counts what comes since the last request was written, before any parser sees it: informational answers, headers, chunk extensions and
 * trailers are bytes like those of a body. Beyond the bound the socket is destroyed. undici takes all that it parses by `read`.
 */
const boundSocket = (socket: Socket, mostBytes: number): Socket => {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let seen = 0;
  let isResting = false;
  const goOn = () => {
    isResting = false;
    if (!socket.destroyed) socket.emit('readable');
  };
  const readSome = (): Buffer | null => {
    if (isResting) return null;
    const chunk = read(Math.min(socket.readableLength, BYTES_OF_A_TURN) || undefined) as Buffer | null;
    if (chunk === null) return null;
    seen += chunk.length;
    if (seen > mostBytes) {
      socket.destroy(new AnswerTooLarge(mostBytes));
      return null;
    }
    isResting = true;
    setImmediate(goOn);
    return chunk;
  };
  return Object.assign(socket, {
    read: readSome,
    write: (...given: unknown[]) => {
      seen = 0;
      return write(...given);
    },
  });
};

const bounded =
  (connect: buildConnector.connector, mostBytes: number): buildConnector.connector =>
  (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error === null) done(null, boundSocket(socket, mostBytes));
      else done(error, null);
    });

/** For the `factory` of an agent, also of one behind a proxy: its servers may send so many bytes in answer to one request. */
export const boundedPools =
  (mostBytes: number) =>
  (origin: string | URL, options: object): Dispatcher => {
    const { connect, ...rest } = options as Pool.Options;
    const connector =
      typeof connect === 'function' ? connect : buildConnector({ ...connect, allowH2: false });
    return new Pool(origin, { ...rest, allowH2: false, connect: bounded(connector, mostBytes) });
  };

/** An agent whose servers may send `mostBytes` in answer to one request, whatever these bytes are. */
export const boundedAgent = (mostBytes: number, options: Omit<Agent.Options, 'factory' | 'allowH2'>): Agent =>
  new Agent({ ...options, allowH2: false, factory: boundedPools(mostBytes) });
