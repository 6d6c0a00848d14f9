import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { type Outcome, readAnswers, type WireAnswer } from './answer.ts';
import { bodyText, type FuzzRequest } from './request.ts';
import { isCutShort, twists } from './twists.ts';

/** Longer than any answer may take: 25 s of waiting and a few hops, 30 s for a body that does not come. */
const PATIENCE_MS = 45_000;

const bytesOf = (body: FuzzRequest['body']): Buffer | null =>
  body === null ? null : Buffer.from(bodyText(body), 'utf8');

const arbitraryHeaders = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const read = async (message: IncomingMessage): Promise<WireAnswer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return {
    status: message.statusCode ?? 0,
    headers: arbitraryHeaders(message),
    body: Buffer.concat(chunks).toString('utf8'),
  };
};

const problemOf = (error: NodeJS.ErrnoException): Outcome['problem'] => {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timed out';
  return error.code?.startsWith('HPE_') ? 'unreadable' : 'connection cut';
};

/** What HTTP clients refuse to send is sent without it. */
const sendable = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
const sendableTarget = (text: string): string => {
  const clean = text.replaceAll(/[^\x21-\x7e]/g, '');
  return clean === '' ? '/' : clean;
};

/** Through an ordinary client that keeps its connections. */
const sendWell = (
  origin: URL,
  agent: Agent,
  { method, target, headers, body }: FuzzRequest,
): Promise<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const bytes = bytesOf(body);
  const framed = [...headers, ...(bytes ? [['Content-Length', String(bytes.length)] as const] : [])];
  const asked = httpRequest({
    host: origin.hostname,
    port: origin.port,
    agent,
    method,
    path: sendableTarget(target),
    headers: framed.flatMap(([name, value]) => [name, sendable(value)]) as never,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const fail = (error: NodeJS.ErrnoException) => resolve({ answers: [], problem: problemOf(error) });
  asked.on('error', fail);
  asked.on('response', (message) => {
    read(message).then((answer) => resolve({ answers: [answer], problem: 'none' }), fail);
  });
  asked.end(bytes ?? undefined);
  return promise;
};

const wireBytes = ({ method, target, headers, body, twist }: FuzzRequest): Buffer => {
  const bent = twists[twist ?? '']?.({
    line: `${method} ${Buffer.from(target.replaceAll(/[ \r\n]/g, ''), 'utf8').toString('latin1')} HTTP/1.1`,
    headers: headers.map(([name, value]) => `${name}: ${value}`),
    body: bytesOf(body)?.toString('latin1') ?? '',
  });
  return Buffer.from(bent ?? '', 'latin1');
};

/** A server drops what it has in hand when its caller ends the sending side, so that comes after the answer. */
const QUIET_AFTER_ANSWER_MS = 150;
const QUIET_BEFORE_ANSWER_MS = 10_000;
const QUIET_IN_THE_MIDDLE_MS = 300;

/** As bytes over a connection of its own, whose sending side ends when nothing more comes back. */
const sendBent = (origin: URL, request: FuzzRequest): Promise<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = connect({ port: Number(origin.port), host: origin.hostname, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let timedOut = false;
  const patience = setTimeout(() => {
    timedOut = true;
    socket.destroy();
  }, PATIENCE_MS);
  socket.setTimeout(isCutShort(request.twist ?? '') ? QUIET_IN_THE_MIDDLE_MS : QUIET_BEFORE_ANSWER_MS);
  socket.on('timeout', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    socket.setTimeout(QUIET_AFTER_ANSWER_MS);
  });
  // What was answered before the connection broke counts; without an answer, `close` says so.
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    clearTimeout(patience);
    const answers = readAnswers(Buffer.concat(chunks).toString('latin1'), request.method);
    if (answers === null) return resolve({ answers: [], problem: 'unreadable' });
    if (timedOut) return resolve({ answers, problem: 'timed out' });
    resolve({ answers, problem: answers.length === 0 ? 'connection cut' : 'none' });
  });
  socket.write(wireBytes(request));
  return promise;
};

export const createSender = (gateway: string, agent: Agent): ((request: FuzzRequest) => Promise<Outcome>) => {
  const origin = new URL(gateway);
  return (request) => (request.twist === null ? sendWell(origin, agent, request) : sendBent(origin, request));
};
