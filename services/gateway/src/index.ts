import { defineService } from '@tds/kit';
import { createDeps } from './create-deps.ts';
import * as broadcasts from './listeners.ts';
import { startGateway } from './start-gateway.ts';
import { surface } from './surface.ts';

export const service = defineService({ surface, createDeps, start: startGateway, broadcasts });
