import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { localDir } from '@tds/servers';
import type { Endpoints } from './system.ts';

/** Signs up through the public API and the mailbox, and prints the key. */

const [email] = process.argv.slice(2);
const LONGEST_MAIL_MS = 10_000;

type Answer = { ok: boolean; message?: string; key?: { secret: string } | null };
type Mail = { text: string; receivedAt: string };

const fail = (sentence: string): never => {
  console.error(sentence);
  process.exit(1);
};

const readEndpoints = async (): Promise<Endpoints> =>
  JSON.parse(
    await readFile(path.join(localDir, 'endpoints.json'), 'utf8').catch(() =>
      fail('Start the service first: npm start'),
    ),
  );

const post = async (url: string, body: object): Promise<Answer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => fail('The service does not answer. Is npm start still running?'));
  return (await response.json()) as Answer;
};

async function readCode(mailbox: string, to: string, since: Date): Promise<string> {
  const deadline = Date.now() + LONGEST_MAIL_MS;
  while (Date.now() < deadline) {
    const mails = (await (await fetch(`${mailbox}/messages?to=${encodeURIComponent(to)}`)).json()) as Mail[];
    const code = mails
      .filter(({ receivedAt }) => new Date(receivedAt) >= since)[0]
      ?.text.match(/\b\d{6}\b/)?.[0];
    if (code) return code;
    await delay(50);
  }
  return fail(`No mail arrived at ${to} within ${LONGEST_MAIL_MS / 1_000} s; look into ${mailbox}`);
}

if (!email) fail('Usage: npm run key -- you@example.com');
const to = String(email);
const { gateway, mailbox } = await readEndpoints();
if (!mailbox) fail('Mail goes to SMTP_URL, where this command cannot read the code.');
const since = new Date();
const sent = await post(`${gateway}/v1/auth/code`, { email: to });
if (!sent.ok) fail(sent.message ?? 'The code could not be sent.');
const code = await readCode(String(mailbox), to, since);
const verified = await post(`${gateway}/v1/auth/verify`, { email: to, code, accept_terms: true });
if (!verified.ok) fail(verified.message ?? 'The code was not accepted.');
if (!verified.key) fail(`${to} has signed up before, and its first key was shown then. Use another address.`);
console.log(verified.key?.secret);
if (process.connected) process.disconnect();
