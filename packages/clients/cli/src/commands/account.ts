import type { ApiKey, UsageDays } from '@transcript-delivery/sdk';
import type { Command } from 'commander';
import { type Context, NotSignedIn, printable, WrongSetting, wholeNumber } from '../context.ts';
import { type DayCredits, everyDay, plot } from '../plot.ts';
import { deleteSettings, saveSettings } from '../settings.ts';

const capText = ({ daily_credit_cap: cap }: Pick<ApiKey, 'daily_credit_cap'>): string =>
  cap === null ? 'no cap' : `${cap} a day`;

const toRow = ({ id, prefix, status, name, ...key }: ApiKey) => [id, prefix, status, capText(key), name];

const HEADS = ['Key', 'Begins with', 'State', 'Cap', 'Name'];

/** At a terminal the variable is the key. Of two keys none is kept silently, and a pipe that is never closed is not waited for. */
const readKey = async ({ io: { env, stdin } }: Context): Promise<string> => {
  if (env.TRANSCRIPTS_API_KEY && stdin.isTTY) return env.TRANSCRIPTS_API_KEY;
  if (env.TRANSCRIPTS_API_KEY)
    throw new WrongSetting(
      'TRANSCRIPTS_API_KEY is set, and every command takes it. Clear it to keep the key that you pipe, or call login at a terminal to keep it.',
    );
  let text = '';
  for await (const chunk of stdin) text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  return text.trim();
};

const addLogin = (program: Command, context: Context): void => {
  const { env } = context.io;
  program
    .command('login')
    .description(
      'keep a key, piped or else (at a terminal) of TRANSCRIPTS_API_KEY, in a file that only you can read',
    )
    .option('--base-url <url>', 'address of the service')
    .action(async ({ baseUrl = env.TRANSCRIPTS_BASE_URL }: { baseUrl?: string }) => {
      const apiKey = await readKey(context);
      if (!apiKey) throw new NotSignedIn('Pipe a key into this command, or set TRANSCRIPTS_API_KEY.');
      const { account } = await context.client({ apiKey, baseUrl }).account.get({ signal: context.signal });
      const file = saveSettings(env, { apiKey, ...(baseUrl && { baseUrl }) });
      context.print({ ok: true, file, account }, `Signed in as ${account.email}; the key is in ${file}`);
    });
  program
    .command('logout')
    .description('delete the kept key; it still works until it is revoked')
    .action(() => {
      deleteSettings(env);
      const still = env.TRANSCRIPTS_API_KEY ? '; TRANSCRIPTS_API_KEY is still set, and used' : '';
      context.print({ ok: true }, `Signed out${still}`);
    });
};

const addKeys = (program: Command, context: Context): void => {
  const { signal } = context;
  const keys = program.command('keys').description('the API keys of the account');
  keys
    .command('list')
    .description('list keys, without their secrets')
    .action(async () => {
      const apiKeys = await context.client().keys.list({ signal });
      context.printRows(apiKeys, HEADS, apiKeys.map(toRow));
    });
  keys
    .command('create')
    .description('create a key; its secret is shown once')
    .argument('<name>')
    .option('--daily-credit-cap <credits>', 'credits that it may spend each UTC day', wholeNumber)
    .action(async (name: string, { dailyCreditCap: cap }: { dailyCreditCap?: number }) => {
      const body = { name, ...(cap !== undefined && { daily_credit_cap: cap }) };
      const key = await context.client().keys.create(body, { signal });
      context.print(key, key.secret);
    });
  keys
    .command('rotate')
    .description('replace a key; the old one works for 24 hours more')
    .argument('<id>')
    .action(async (id: string) => {
      const { key, replaced } = await context.client().keys.rotate(id, {}, { signal });
      context.print({ key, replaced }, key.secret);
    });
  keys
    .command('revoke')
    .description('end a key')
    .argument('<id>')
    .option('--in-24-hours', 'instead of now')
    .action(async (id: string, { in24Hours }: { in24Hours?: true }) => {
      const key = await context
        .client()
        .keys.revoke(id, { grace_period_hours: in24Hours ? 24 : 0 }, { signal });
      context.printRows(key, HEADS, [toRow(key)]);
    });
};

/** The sum of all keys for each day. */
const byDay = ({ rows, range }: UsageDays): DayCredits[] => {
  const days = new Map<string, { date: string; credits: number; requests: number }>();
  for (const { date, credits_charged: credits, requests } of rows) {
    const day = days.get(date) ?? { date, credits: 0, requests: 0 };
    days.set(date, { date, credits: day.credits + credits, requests: day.requests + requests });
  }
  return everyDay([...days.values()], range.from, range.to);
};

const addUsage = (program: Command, context: Context): void => {
  const { signal, io } = context;
  program
    .command('usage')
    .description('plot credits by day, with the balance')
    .option('--from <day>', 'first UTC day, YYYY-MM-DD (default: 29 days before the last)')
    .option('--to <day>', 'last UTC day (default: today)')
    .option('--person <id>', 'only of this person')
    .option('--csv', 'days and keys as CSV')
    .action(async ({ csv, person, ...days }: { from?: string; to?: string; person?: string; csv?: true }) => {
      const range = { ...days, ...(person !== undefined && { person_id: person }) };
      const client = context.client();
      if (csv) return void io.stdout.write(printable(await client.usage.csv({ ...range, signal })));
      const [usage, { credits }] = await Promise.all([
        client.usage.days({ ...range, signal }),
        client.account.get({ signal }),
      ]);
      const summary = `${credits.available} to spend (${credits.free} free, ${credits.purchased} purchased), ${credits.reserved} held`;
      context.print({ ...usage, credits }, `${plot(byDay(usage), io.stdout.columns)}\n${summary}`);
    });
  program
    .command('status')
    .description('show whether the service works')
    .action(async () => {
      const status = await context.client().status({ signal });
      const fetches = status.new_fetches ? 'new transcripts are fetched' : 'only cached transcripts are served';
      context.print(status, `${status.status}: ${fetches}`);
    });
};

/** Which apps the account has let in. */
const addConnections = (program: Command, context: Context): void => {
  const { signal } = context;
  program
    .command('connections')
    .description('list the connected apps')
    .action(async () => {
      const apps = await context.client().connections.list({ signal });
      const rows = apps.map(({ id, app, scopes, last_used_at: at }) => [
        id,
        app.name,
        app.host,
        scopes.join(' '),
        at,
      ]);
      context.printRows(apps, ['App', 'Name', 'Host', 'May', 'Last used'], rows);
    });
};

export const addAccount = (program: Command, context: Context): void => {
  addLogin(program, context);
  addKeys(program, context);
  addUsage(program, context);
  addConnections(program, context);
};
