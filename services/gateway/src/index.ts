import { defineService } from '@tds/kit';
import { createDeps } from './create-deps.ts';
import {
  accountStatusChanged,
  accountTierChanged,
  jobProgressed,
  keyChanged,
  keyRevoked,
} from './listeners.ts';
import { startGateway } from './start-gateway.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  start: startGateway,
  broadcasts: { keyRevoked, keyChanged, accountStatusChanged, accountTierChanged, jobProgressed },
});
