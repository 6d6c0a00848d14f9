import { defineService } from '@tds/kit';
import * as commands from './commands.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({ surface, createDeps, commands, subscriptions, schedules });
