import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n`;
const BATCH_BYTES = 64 * 1_024;

/** What comes first, and what comes behind it for ever. */
const answers = {
  'informational answers of 102': ['', 'HTTP/1.1 102 P\r\n\r\n'],
  'informational answers of 103': ['', 'HTTP/1.1 103 E\r\n\r\n'],
  'informational answers of 100': ['', 'HTTP/1.1 100 C\r\n\r\n'],
  headers: [HEAD, 'x-more: and more\r\n'],
  'chunk extensions': [`${CHUNKED}\r\n1`, ';ext=and-more'],
  'chunks of one byte with an extension each': [`${CHUNKED}\r\n`, '1;x=and-more\r\nx\r\n'],
  'chunks of one byte': [`${CHUNKED}\r\n`, '1\r\nx\r\n'],
  'chunks that are empty but for zeros': [`${CHUNKED}\r\n`, '0'],
  trailers: [`${CHUNKED}\r\n0\r\n`, 'x-more: and more\r\n'],
  'a body': [`${HEAD}Content-Length: 1000000000000\r\n\r\n`, 'x'],
  'a body without a length': [`${HEAD}\r\n`, 'x'],
} as const satisfies Record<string, readonly [first: string, then: string]>;

export type HostileAnswer = keyof typeof answers;
export const hostileAnswers = Object.keys(answers) as HostileAnswer[];

const answerForEver = (socket: Socket, kind: HostileAnswer): void => {
  const [first, then] = answers[kind];
  const more = Buffer.from(then.repeat(Math.ceil(BATCH_BYTES / then.length)));
  const fill = () => {
    if (!socket.destroyed && socket.write(more)) setImmediate(fill);
  };
  socket.on('error', () => undefined);
  socket.on('drain', fill);
  socket.once('data', () => {
    socket.write(first);
    fill();
  });
};

/** A server on loopback whose answers never end: `at` says where. */
export const startHostileServer = async () => {
  const sockets = new Set<Socket>();
  const stops: (() => void)[] = [];
  const serve = async (kind: HostileAnswer): Promise<string> => {
    const server = createServer((socket) => {
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      answerForEver(socket, kind);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  return {
    /** The origin that answers like this. */
    serve,
    stop(): void {
      for (const stop of stops) stop();
      for (const socket of sockets) socket.destroy();
    },
  };
};
export type HostileServer = Awaited<ReturnType<typeof startHostileServer>>;
