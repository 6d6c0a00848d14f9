import { defineService } from '@tds/kit';
import * as accounts from './commands/accounts.ts';
import * as connections from './commands/connections.ts';
import * as credentials from './commands/credentials.ts';
import { createDashboardKey } from './commands/dashboard-key.ts';
import * as grantRecords from './commands/grant-records.ts';
import * as keys from './commands/keys.ts';
import * as mail from './commands/mail.ts';
import * as people from './commands/people.ts';
import { rotateKey } from './commands/rotate-key.ts';
import * as sessions from './commands/sessions.ts';
import * as signIn from './commands/sign-in.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as onOwnLostEvents from './recovery.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';
import * as tasks from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    ...signIn,
    ...sessions,
    ...credentials,
    ...keys,
    createDashboardKey,
    rotateKey,
    ...connections,
    ...grantRecords,
    ...accounts,
    ...mail,
    ...people,
  },
  tasks,
  subscriptions,
  onOwnLostEvents,
  schedules,
});
