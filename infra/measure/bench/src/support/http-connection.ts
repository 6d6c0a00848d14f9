import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** One answer. `body` is null unless the request kept it. */
export type HttpAnswer = { readonly status: number; readonly head: string; readonly body: Buffer | null };

export type HttpConnection = {
  /** False if the other side has closed it. */
  readonly isOpen: boolean;
  /** Sends one request, after the answer to the one before. */
  send(request: string, keepBody: boolean): Promise<HttpAnswer>;
  close(): void;
};

const UNAUTHORIZED = 401;
export const FORBIDDEN = 403;
export const isRefusal = ({ status }: HttpAnswer): boolean => status === UNAUTHORIZED || status === FORBIDDEN;

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 9;
const STATUS_DIGITS = 3;

type PendingAnswer = PromiseWithResolvers<HttpAnswer> & { readonly keepBody: boolean };
type ResponseHead = { readonly status: number; readonly head: string; readonly length: number };

const parseLength = (head: string): number => {
  const match = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!match) throw new Error(`an answer without Content-Length: ${head}`);
  return Number(match[1]);
};

/** HTTP/1.1 keep-alive with little CPU, because the load shares the machine: one request at a time, answers with Content-Length only. */
class Connection implements HttpConnection {
  readonly #socket: Socket;
  #pending: PendingAnswer | null = null;
  #partialHead: Buffer | null = null;
  #response: ResponseHead | null = null;
  #bodyBytes = 0;
  #parts: Buffer[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  send(request: string, keepBody: boolean): Promise<HttpAnswer> {
    if (!this.isOpen) return Promise.reject(new Error('the connection was closed'));
    const answer = Promise.withResolvers<HttpAnswer>();
    this.#pending = { ...answer, keepBody };
    this.#socket.write(request, 'latin1');
    return answer.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#socket.destroy();
    this.#pending?.reject(error);
    this.#pending = null;
  }

  #read(chunk: Buffer): void {
    if (this.#response === null) this.#readHead(chunk);
    else this.#readBody(chunk);
  }

  #readHead(chunk: Buffer): void {
    const bytes = this.#partialHead === null ? chunk : Buffer.concat([this.#partialHead, chunk]);
    const end = bytes.indexOf(HEAD_END);
    this.#partialHead = end === -1 ? bytes : null;
    if (end === -1) return;
    const head = bytes.toString('latin1', 0, end);
    const status = Number(head.slice(STATUS_AT, STATUS_AT + STATUS_DIGITS));
    this.#response = { status, head, length: parseLength(head) };
    this.#readBody(bytes.subarray(end + HEAD_END.length));
  }

  #readBody(chunk: Buffer): void {
    const { status, head, length } = this.#response as ResponseHead;
    this.#bodyBytes += chunk.length;
    if (this.#pending?.keepBody) this.#parts.push(chunk);
    if (this.#bodyBytes < length) return;
    const pending = this.#pending;
    const body = pending?.keepBody ? Buffer.concat(this.#parts) : null;
    this.#pending = this.#response = null;
    this.#bodyBytes = 0;
    this.#parts = [];
    pending?.resolve({ status, head, body });
  }
}

export const openConnection = (port: number): Promise<HttpConnection> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new Connection(socket));
    });
  });

/** A GET as text; the caller's key goes into Authorization. */
export const getRequest = (port: number, target: string, key?: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: */*\r\n${
    key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  }\r\n`;

/** One GET on a connection of its own, with its body. */
export const fetchOnce = async (port: number, target: string, key?: string): Promise<HttpAnswer> => {
  const connection = await openConnection(port);
  try {
    return await connection.send(getRequest(port, target, key), true);
  } finally {
    connection.close();
  }
};

/** The headers of an answer, by the names that it wrote. */
export const headersOf = ({ head }: Pick<HttpAnswer, 'head'>): Record<string, string> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

/** The same key with a wrong checksum. */
export const withWrongChecksum = (key: string): string => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

export const sha256 = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');
