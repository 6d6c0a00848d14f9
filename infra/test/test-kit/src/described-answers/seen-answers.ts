import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer as a server wrote it. */
export type SeenAnswer = {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

type RequestStart = {
  readonly request: IncomingMessage;
  readonly response: Pick<ServerResponse, 'writeHead' | 'end'>;
  readonly server: Server;
};
type Head = Pick<SeenAnswer, 'status' | 'headers'>;

const CHANNEL = 'http.server.request.start';

/** Both ways of giving headers to `writeHead`: an object, or name and value by turns. */
const toHeaders = (input: unknown): Record<string, string> => {
  const pairs = Array.isArray(input)
    ? Array.from({ length: input.length / 2 }, (_, index) => input.slice(2 * index, 2 * index + 2))
    : Object.entries(input ?? {});
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
};

const portOf = (server: Server): number | undefined => (server.address() as AddressInfo | null)?.port;

/** Listens to all answers of this process's server at that port; returns the function that ends it. */
export const watchServer = (port: number, see: (answer: SeenAnswer) => void): (() => void) => {
  const listener = (message: unknown): void => {
    const { request, response, server } = message as RequestStart;
    if (portOf(server) !== port) return;
    const { writeHead, end } = response;
    let head: Head | undefined;
    response.writeHead = (status: number, ...args: unknown[]) => {
      head = { status, headers: toHeaders(args.at(-1)) };
      return writeHead.call(response, status, ...(args as []));
    };
    response.end = ((...args: Parameters<typeof end>) => {
      const { method = '', url = '' } = request;
      const body = Buffer.from((args[0] as string | Buffer | undefined) ?? '');
      if (head) see({ method, url, ...head, body });
      return end.apply(response, args);
    }) as typeof end;
  };
  subscribe(CHANNEL, listener);
  return () => void unsubscribe(CHANNEL, listener);
};
