import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A request as curl sends it. */
export type CurlRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

const WORD_END = '\0';
const COMMAND_END = '\u001e';
/** A shell splits the words and fills in the variables; no machine needs curl for it. */
const printWords = `curl() { printf '%s\\0' "$@"; printf '\\036'; }`;
const flags = ['-i', '-s', '-N', '-L'];

const readWords = (words: readonly string[]): CurlRequest => {
  const request = {
    method: 'GET',
    url: '',
    headers: {} as Record<string, string>,
    body: undefined as string | undefined,
  };
  const remaining = [...words];
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    const value = (): string => remaining.shift() ?? '';
    if (word === '-X') request.method = value();
    else if (word === '-d') request.body = value();
    else if (word === '-o') value();
    else if (word === '-H') {
      const [, name = '', text = ''] = /^([^:]+): *(.*)$/.exec(value()) ?? [];
      request.headers[name] = text;
    } else if (word.startsWith('-') && !flags.includes(word))
      throw new Error(`an option that this test does not know: ${word}`);
    else if (!word.startsWith('-')) request.url = word;
  }
  const { body, ...fields } = request;
  return body === undefined ? fields : { ...fields, body };
};

/** The requests of the curl commands in a text of a shell. Other commands of it run. */
export const readCurl = async (
  text: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<CurlRequest[]> => {
  const { stdout } = await promisify(execFile)('sh', ['-euc', `${printWords}\n${text}`], {
    env: { ...process.env, ...environment },
  });
  return stdout
    .split(COMMAND_END)
    .filter((command) => command.trim() !== '')
    .map((command) => readWords(command.split(WORD_END).slice(0, -1)));
};
