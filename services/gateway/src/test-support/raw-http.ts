import { connect } from 'node:net';
import { schemaBreaches } from '@tds/test-kit';
import request from 'supertest';
import { listedTools } from '../assistant/listed-tools.ts';

/** A longer silence means that no server answers, even on a busy machine. */
const IDLE_TIMEOUT_MS = 60_000;

/** Sends bytes unchanged and returns the answer up to the end of the connection, or up to a silence. */
export const sendRaw = (
  url: string,
  bytes: string | Buffer,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): Promise<string> => {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setTimeout(idleTimeoutMs, () => socket.destroy());
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => resolve(answer));
  socket.write(bytes);
  return promise;
};

export const readBody = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;

/** A request line with the headers that every caller sends. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: api.example', 'Connection: close', ...headers, '', body].join('\r\n');

export const message = (method: string, params?: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method },
  ...(params && { params }),
});

/** Throws if the result of a call does not match the schema that its tool lists. */
const checkResult = (name: string, structured: unknown): void => {
  const schema = listedTools.find((tool) => tool.name === name)?.outputSchema;
  const breaches = structured === undefined || schema === undefined ? [] : schemaBreaches(schema, structured);
  if (breaches.length > 0) throw new Error(`the result of ${name}: ${breaches.join()}`);
};

/** Posts messages to the assistant route with the headers of a caller. */
export const createMcp = (url: string) => {
  const post = (headers: object, body: unknown) =>
    request(url)
      .post('/v1/mcp')
      .set(headers as never)
      .send(body as object);
  return {
    post,
    callTool: async (headers: object, name: string, args?: unknown) => {
      const answer = await post(headers, message('tools/call', { name, arguments: args }));
      checkResult(name, answer.body.result?.structuredContent);
      return answer;
    },
  };
};
