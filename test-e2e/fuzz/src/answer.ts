/** An answer as it came over the wire; names of headers in lower case. */
export type WireAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What came back: answers, or why there is none. */
export type Outcome = {
  readonly answers: readonly WireAnswer[];
  readonly problem: 'none' | 'timed out' | 'connection cut' | 'unreadable';
};

const HEAD_END = '\r\n\r\n';

const parseHead = (head: string): Omit<WireAnswer, 'body'> | null => {
  const [line = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(line)?.[1];
  if (status === undefined) return null;
  const headers: Record<string, string> = Object.create(null);
  for (const each of lines) {
    const colon = each.indexOf(':');
    if (colon < 1) return null;
    const name = each.slice(0, colon).toLowerCase();
    const value = each.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status: Number(status), headers };
};

/** All answers in the bytes (as latin1) of a connection that has ended; null where they are no HTTP. */
export const readAnswers = (bytes: string, method: string): WireAnswer[] | null => {
  const answers: WireAnswer[] = [];
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf(HEAD_END);
    const head = end === -1 ? null : parseHead(rest.slice(0, end));
    if (head === null) return null;
    rest = rest.slice(end + HEAD_END.length);
    if (head.status < 200) continue;
    // The answer to a broken HEAD has a body if the server does not know the method yet, and what follows is no head.
    const length = method === 'HEAD' && !rest.startsWith('{') ? 0 : Number(head.headers['content-length'] ?? 0);
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString('utf8');
    rest = rest.slice(length);
    answers.push({ ...head, body });
  }
  return answers;
};
