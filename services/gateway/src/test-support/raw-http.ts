import { connect } from 'node:net';

/** So late is no server, however busy the machine is. */
const LONGEST_SILENCE_MS = 60_000;

/**
 * Sends bytes as they are and gives back all that comes until the server ends the connection. Whoever sends what no server
 * answers breaks off after a silence.
 */
export const sendRaw = (
  url: string,
  bytes: string | Buffer,
  silenceMs = LONGEST_SILENCE_MS,
): Promise<string> => {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setTimeout(silenceMs, () => socket.destroy());
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => resolve(answer));
  socket.write(bytes);
  return promise;
};

export const bodyOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;

/** A request line with the headers that every caller sends. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: api.example', 'Connection: close', ...headers, '', body].join('\r\n');
