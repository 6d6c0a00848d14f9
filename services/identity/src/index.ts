import { defineService } from '@tds/kit';
import * as accounts from './accounts/commands.ts';
import * as connections from './apps/commands.ts';
import * as grantRecords from './apps/grant-records.ts';
import { createDeps } from './create-deps.ts';
import * as keys from './keys/commands.ts';
import { rotateKey } from './keys/rotate-key.ts';
import * as listeners from './listeners.ts';
import * as mail from './mails/commands.ts';
import * as people from './people/commands.ts';
import * as onOwnLostEvents from './recovery.ts';
import * as schedules from './schedules.ts';
import * as signIn from './sign-in/commands.ts';
import * as credentials from './sign-in/credentials.ts';
import { createDashboardKey } from './sign-in/dashboard-key.ts';
import * as sessions from './sign-in/session-commands.ts';
import { surface } from './surface.ts';
import * as tasks from './tasks.ts';
import * as workListeners from './work-listeners.ts';

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
  subscriptions: { ...listeners, ...workListeners },
  onOwnLostEvents,
  schedules,
});
