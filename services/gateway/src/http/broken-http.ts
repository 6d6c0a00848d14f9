import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ErrorCode,
  methodsByPath,
  newId,
  routeTable,
  type ServiceError,
  serviceError,
} from '@tds/contracts';
import { JSON_TYPE } from './answer.ts';
import { errorAnswer } from './error-answer.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export type BrokenRequest = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** For the answer to arrive: who does not close its side meanwhile is cut off, because an open socket counts. */
const CUT_OFF_AFTER_MS = 1_000;

const HEAD = 'HEAD ';
/** Longer than what we look at of a packet: a method, a path, a version. */
const REQUEST_LINE_BYTES = 512;
/** A method of RFC 9110 that Node's parser does not know, and a path without a query, which may hold a key. */
const otherMethod = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32} (\/[^ ?#]*) HTTP\/1\.[01]\r\n/;

const pathPatterns = [...methodsByPath(routeTable)].map(([path, allow]) => ({
  allow,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Whoever asks with HEAD takes a body for the next answer. */
const wantsNoBody = ({ rawPacket }: BrokenRequest): boolean =>
  rawPacket?.toString('latin1', 0, HEAD.length) === HEAD;

/** The parser refuses methods that it does not know before it reads further; on our paths they are 405 like any other. */
const methodRefusal = ({ code, rawPacket, bytesParsed = 0 }: BrokenRequest): ServiceError | null => {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return null;
  const line = rawPacket.toString('latin1', 0, REQUEST_LINE_BYTES);
  const [start, path] = otherMethod.exec(line) ?? [];
  // Behind another request in the same packet there is no telling where this one starts.
  if (start === undefined || path === undefined || bytesParsed > start.length) return null;
  const allow = pathPatterns.find(({ pattern }) => pattern.test(path))?.allow;
  return allow ? serviceError('method_not_allowed', { extras: { allow } }) : serviceError('not_found');
};

/** What does not parse as HTTP never reaches Express; it gets the same envelope, and its connection ends. */
export const refuseBrokenHttp =
  (publicUrl: string) =>
  (error: BrokenRequest, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const requestId = newId();
    const refusal = methodRefusal(error) ?? serviceError(codes[error.code ?? ''] ?? 'malformed_request');
    const { status, body = '', headers = [] } = errorAnswer(refusal, requestId, publicUrl);
    const own = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `X-Request-Id: ${requestId}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        ...own,
        `Content-Type: ${JSON_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        wantsNoBody(error) ? '' : body.toString(),
      ].join('\r\n'),
    );
    const cutOff = setTimeout(() => socket.destroy(), CUT_OFF_AFTER_MS);
    socket.once('close', () => clearTimeout(cutOff));
  };
