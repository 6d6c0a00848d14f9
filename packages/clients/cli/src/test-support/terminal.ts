import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Io } from '../context.ts';
import { run } from '../run.ts';

export type Reply = { readonly status?: number; readonly body: unknown };
type TerminalOptions = {
  /** What is piped; without it, standard input is the terminal. */
  readonly stdin?: string;
  readonly env?: Record<string, string | undefined>;
  readonly isTTY?: boolean;
};

const pipe = async function* (text: string) {
  yield text;
};

/** A terminal in front of a service that gives these answers by `METHOD /path`, or with its query. */
export const terminal = (replies: Readonly<Record<string, Reply>>) => {
  const home = mkdtempSync(path.join(tmpdir(), 'transcripts-cli-'));
  const sent: {
    readonly request: string;
    readonly query: string;
    readonly body: unknown;
    readonly key: string | null;
  }[] = [];
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const request = `${init.method} ${url.pathname}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    sent.push({ request, query: url.search, body, key: new Headers(init.headers).get('authorization') });
    const reply = replies[`${request}${url.search}`] ?? replies[request];
    if (!reply) throw new Error(`no answer was given for ${request}`);
    if (reply.body instanceof Response) return reply.body.clone();
    return Response.json(reply.body, { status: reply.status ?? 200 });
  };
  const env = {
    XDG_CONFIG_HOME: home,
    TRANSCRIPTS_API_KEY: 'svc_live_test',
    TRANSCRIPTS_BASE_URL: 'https://api.test',
  };
  const type = async (words: string, options: TerminalOptions = {}) => {
    const [out, err]: [string[], string[]] = [[], []];
    const isTTY = options.isTTY ?? false;
    const io: Io = {
      stdin: Object.assign(pipe(options.stdin ?? ''), { isTTY: options.stdin === undefined }),
      stdout: { write: (text) => out.push(text), isTTY, columns: 80 },
      stderr: { write: (text) => err.push(text), isTTY },
      env: { ...env, ...options.env } as Record<string, string>,
      signal: new AbortController().signal,
      fetch,
    };
    const code = await run(words.split(' '), io);
    return { code, out: out.join(''), err: err.join('') };
  };
  return { type, sent, home, close: () => rmSync(home, { recursive: true }) };
};
