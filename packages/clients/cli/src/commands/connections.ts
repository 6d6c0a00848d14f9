import type { Command } from 'commander';
import type { Context } from '../context.ts';

/** Which apps the account has let in. */
export const addConnections = (program: Command, context: Context): void => {
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
