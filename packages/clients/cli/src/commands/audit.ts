import type { Command } from 'commander';
import { type Context, collect, wholeNumber } from '../context.ts';

const BY_DEFAULT = 20;

/** What happened in the account, and which apps it has let in. */
export const addAudit = (program: Command, context: Context): void => {
  const { signal } = context;
  program
    .command('audit')
    .description('list what happened in the account, newest first')
    .option('-n, --limit <count>', 'how many', wholeNumber, BY_DEFAULT)
    .action(async ({ limit }: { limit: number }) => {
      const entries = await collect(context, context.client().people.audit({ signal }), limit);
      const rows = entries.map((entry) => {
        const { at, action, actor, person_id: person, key_id: key, detail } = entry;
        return [at, action, person ?? actor, key, detail];
      });
      context.printRows(entries, ['Time', 'What', 'Who', 'Key', 'Detail'], rows);
    });
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
