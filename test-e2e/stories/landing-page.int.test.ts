import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readCurl } from '@tds/test-kit';
import { type Answer, awaitMails, call, readCode, shareTestSystem, type TestSystem } from '#support/testing';

const EMAIL = `${randomUUID()}@example.com`;

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

/** The text of a code block of a page, as a person copies it. */
const blocks = ({ text }: Answer): string[] =>
  [...text.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, html = '']) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(
        /&(quot|#39|lt|gt|amp);/g,
        (_, name: string) => ({ quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' })[name] ?? '',
      ),
  );

/** Sends the curl commands of a text. */
const run = async (text: string, environment: Readonly<Record<string, string>> = {}): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (const { url, ...init } of await readCurl(text, environment)) answers.push(await call(url, init));
  return answers;
};

it('a person who has only the landing page gets a transcript by the requests that it shows', async () => {
  const landing = await call(`${system.gateway}/`);
  const [request = ''] = blocks(landing);
  const [, signInPath = ''] = /<a class="button first" href="([^"]+)"[^>]*>Get a key</.exec(landing.text) ?? [];
  const [commands = ''] = blocks(await call(`${system.gateway}${signInPath}`)).filter((block) =>
    block.includes('curl'),
  );
  const [askForCode = '', enterCode = ''] = commands.replaceAll('you@example.com', EMAIL).split('\n\n');
  await run(askForCode);
  await awaitMails(system.mail.url, EMAIL, 1);
  const code = await readCode(system.mail.url, EMAIL);
  const [signedIn] = await run(enterCode.replace('123456', code));
  const { secret } = (signedIn as Answer).json<{ key: { secret: string } }>().key;
  const environment = { TRANSCRIPTS_API_KEY: secret };
  const [first] = await run(request, environment);
  const [second] = await run(request, environment);
  const cost = (answer: Answer | undefined) => [answer?.status, answer?.headers.get('x-credits-charged')];
  // Others may have read it before.
  expect(cost(first)).toEqual([200, first?.headers.get('x-cache') === 'MISS' ? '1' : '0']);
  expect(cost(second)).toEqual([200, '0']);
  expect(first?.json<{ passages: object[] }>().passages.length).toBeGreaterThan(0);
});
