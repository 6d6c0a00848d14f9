import type { Socket } from 'node:net';
import { ByteBuffer, nextTurn } from '@tds/base';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';

/** The server sent more than the caller allows. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
  }
}

/** Bytes that the parser gets in one turn of the event loop, so that timers and other connections get theirs. */
const TURN_BYTES = 32 * 1_024;

/**
 * Counts the bytes received since the last request, before any parser: informational answers, headers, chunk extensions and trailers
 * count like a body. Destroys the socket beyond the bound. undici parses only what it gets from `read`.
 */
const boundSocket = (socket: Socket, maxBytes: number, onWrite: () => void): Socket => {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let receivedBytes = 0;
  let isPaused = false;
  const resume = () => {
    isPaused = false;
    if (!socket.destroyed) socket.emit('readable');
  };
  const readSome = (): Buffer | null => {
    if (isPaused) return null;
    const chunk = read(Math.min(socket.readableLength, TURN_BYTES) || undefined) as Buffer | null;
    if (chunk === null) return null;
    receivedBytes += chunk.length;
    if (receivedBytes > maxBytes) {
      socket.destroy(new AnswerTooLarge(maxBytes));
      return null;
    }
    isPaused = true;
    void nextTurn().then(resume);
    return chunk;
  };
  return Object.assign(socket, {
    read: readSome,
    write: (...args: unknown[]) => {
      receivedBytes = 0;
      onWrite();
      return write(...args);
    },
  });
};

/** Connections in a row that get no request, since the server ends them or speaks first: undici would go on to open them without an end. */
const MAX_UNUSED = 3;

const withBounds = (connect: buildConnector.connector, maxBytes: number): buildConnector.connector => {
  let unused = 0;
  return (options, done) => {
    if (unused >= MAX_UNUSED) {
      unused = 0;
      return done(Object.assign(new Error('closed before a request'), { code: 'ECONNABORTED' }), null);
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      unused += 1;
      done(
        null,
        boundSocket(socket, maxBytes, () => (unused = 0)),
      );
    });
  };
};

/** The `factory` of an agent, also behind a proxy: limits the bytes that a server sends in answer to one request. */
export const boundedPools =
  (maxBytes: number) =>
  (origin: string | URL, options: object): Dispatcher => {
    const { connect, ...poolOptions } = options as Pool.Options;
    const connector = typeof connect === 'function' ? connect : buildConnector({ ...connect, allowH2: false });
    return new Pool(origin, { ...poolOptions, allowH2: false, connect: withBounds(connector, maxBytes) });
  };

/** An agent that limits all bytes that a server sends in answer to one request. */
export const boundedAgent = (maxBytes: number, options: Omit<Agent.Options, 'factory' | 'allowH2'>): Agent =>
  new Agent({ ...options, allowH2: false, factory: boundedPools(maxBytes) });

/** The server sent too many informational answers. */
export class TooManyAnnouncements extends Error {
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
export type ReceivedAnswer = { readonly status: number; readonly headers: Headers; readonly body: Buffer };

const OK = 200;
/** Default limit of informational answers: a server that is at work may send one each second. */
const ANNOUNCEMENTS = 16;

type ReceiveOptions = {
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
): Promise<ReceivedAnswer> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', () => giveUp(), { once: true });
    let head: Omit<ReceivedAnswer, 'body'> = { status: 0, headers: {} };
    const body = new ByteBuffer(capBytes);
    let announcementCount = 0;
    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        // Has no effect after the end of the answer.
        giveUp = () => controller.abort(signal.reason);
        if (signal.aborted) giveUp();
      },
      onResponseStart(controller, status, headers) {
        if (status < OK) {
          announcementCount += 1;
          if (announcementCount > announcements) controller.abort(new TooManyAnnouncements(status));
          return;
        }
        meter.status = status;
        head = { status, headers };
      },
      onResponseData(controller, chunk) {
        meter.bytes += chunk.length;
        onChunk?.(chunk);
        if (!body.add(chunk)) controller.abort(new AnswerTooLarge(capBytes));
      },
      onResponseEnd: () => resolve({ ...head, body: body.bytes() }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
