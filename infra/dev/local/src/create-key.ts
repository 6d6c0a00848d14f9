import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dataDir } from '@tds/servers';
import { command } from '@tds/servers/command';
import { newestCode } from '@tds/simulators/mail';
import type { Endpoints } from './system.ts';

const program = command(
  'npm run create-key --',
  'Signs up or in through the public API and the mailbox, and prints a new key.',
)
  .argument('<email>', 'you@example.com: its mail stays in the mailbox of npm start')
  .option('--data <folder>', 'where npm start keeps its data', dataDir)
  .parse();
const values = program.opts();
const [to] = program.processedArgs;
const MAX_MAIL_MS = 10_000;

type Answer = { ok: boolean; code?: string; message?: string; key?: { secret: string } | null };
type KeyList = { keys: { id: string; name: string; prefix: string; status: string }[] };

const fail = (sentence: string): never => {
  console.error(sentence);
  process.exit(1);
};

const readEndpoints = async (): Promise<Endpoints> =>
  JSON.parse(
    await readFile(path.join(values.data, 'endpoints.json'), 'utf8').catch(() =>
      fail('Start the service first: npm start'),
    ),
  );

const send = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, init).catch(() => fail('The service does not answer. Is npm start still running?'));

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const read = async (response: Response): Promise<Answer> => (await response.json()) as Answer;

async function readCode(mailbox: string, to: string, since: Date): Promise<string> {
  const deadline = Date.now() + MAX_MAIL_MS;
  while (Date.now() < deadline) {
    const code = await newestCode(mailbox, to, since);
    if (code) return code;
    await delay(50);
  }
  return fail(`No mail arrived at ${to} within ${MAX_MAIL_MS / 1_000} s; look into ${mailbox}`);
}

/** The sentence for an account with as many keys as the tier allows. */
const howToMakeRoom = async (gateway: string, cookie: string): Promise<string> => {
  const { keys } = (await (await send(`${gateway}/v1/keys`, { headers: { cookie } })).json()) as KeyList;
  const lines = keys
    .filter(({ status }) => status !== 'revoked')
    .map(({ id, name, prefix }) => `  ${id}  ${prefix}...  ${name}`);
  return `This account has as many keys as it may have:
${lines.join('\n')}
Revoke one of them, and try again:
  curl -X DELETE -H "Cookie: ${cookie}" -H "X-Service-Dashboard: 1" ${gateway}/v1/keys/ID`;
};

/** A further key for an account that had its first one before. */
const createKey = async (gateway: string, cookie: string): Promise<Answer> => {
  const headers = { cookie, 'x-service-dashboard': '1' };
  const created = await read(await post(`${gateway}/v1/keys`, { name: 'npm run create-key' }, headers));
  if (created.code === 'key_limit') fail(await howToMakeRoom(gateway, cookie));
  return created;
};

const { gateway, mailbox } = await readEndpoints();
if (!mailbox) fail('Mail goes to SMTP_URL, where this command cannot read the code.');
const since = new Date();
const reply = await read(await post(`${gateway}/v1/auth/code`, { email: to }));
if (!reply.ok) fail(reply.message ?? 'The code could not be sent.');
const code = await readCode(String(mailbox), to, since);
const response = await post(`${gateway}/v1/auth/verify`, { email: to, code, accept_terms: true });
const verification = await read(response);
if (!verification.ok) fail(verification.message ?? 'The code was not accepted.');
const [cookie = ''] = response.headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
const { key, message } = verification.key ? verification : await createKey(gateway, cookie);
if (!key) fail(message ?? 'The key could not be created.');
console.log(key?.secret);
