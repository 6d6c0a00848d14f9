import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken, digestSecret } from '@tds/contracts';
import { isErrorCode } from '@tds/errors';
import { type Route, type routes, routeTable } from '@tds/http-api';
import { buildSamples } from '@tds/site';
import { newPrincipal } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const ORIGIN = 'https://api.example';
const session = createSessionToken();
let harness: TestGateway;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  harness = await startTestGateway();
  const account = await harness.addAccount({ tier: 'paid' });
  environment = { TRANSCRIPTS_API_KEY: account.key, SESSION: session, SIGNATURE: 't=1,v1=00' };
  const refuse = harness.identity.commands.authenticateSession;
  harness.identity.commands.authenticateSession = async (asked, context) =>
    asked.sessionDigest === digestSecret(session) ? newPrincipal({ keyId: null }) : refuse(asked, context);
});
afterAll(() => harness?.stop());

/** The words of a command as a shell splits them, with the values of variables. */
const shellWords = (command: string): string[] =>
  [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) =>
      single ??
      (double ?? plain ?? '').replaceAll(/\$(\w+)/g, (_, name: string) => environment[name] ?? `no ${name}`),
  );

type Parsed = { method: string; headers: Record<string, string>; body: string | null; url: string };

/** The request that a command of curl sends; an option that samples do not use is an error. */
const parseCurl = (command: string): Parsed => {
  const [name, ...words] = shellWords(command);
  if (name !== 'curl') throw new Error(`${name} is not curl`);
  const parsed: Parsed = { method: 'GET', headers: {}, body: null, url: '' };
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '-X') parsed.method = words.shift() ?? '';
    else if (word === '-d') parsed.body = words.shift() ?? '';
    else if (word === '-o') words.shift();
    else if (word === '-H') {
      const [header = '', value = ''] = (words.shift() ?? '').split(/: (.*)/s);
      parsed.headers[header] = value;
    } else if (word.startsWith('-')) throw new Error(`an unknown option ${word}`);
    else parsed.url = word;
  }
  return parsed;
};

/** What a good request may be answered by fakes that know no such job, key or payment. */
const isAboutState = (code: unknown): boolean =>
  isErrorCode(code) &&
  !/^(invalid_(?!code)|unknown_|missing_|conflicting_|malformed_|method_|not_found|unsupported_)/.test(code);

describe.each(routeTable.map((row) => [row.id as keyof typeof routes, row] as const))(
  '%s',
  (id, row: Route) => {
    it('has a sample in curl that the gateway takes', async () => {
      const code = buildSamples(id, ORIGIN).find(({ language }) => language === 'curl')?.code ?? '';
      const { url, method, headers, body } = parseCurl(code);
      expect(method).toBe(row.method);
      const stop = new AbortController();
      const answer = await fetch(url.replace(ORIGIN, harness.url), {
        method,
        headers,
        body,
        signal: stop.signal,
        redirect: 'manual',
      });
      const isFine = answer.ok || isAboutState(((await answer.json()) as { code?: string }).code);
      stop.abort();
      expect([id, answer.status, isFine]).toEqual([id, answer.status, true]);
    });
  },
);
