import { defineService } from '@tds/service-kit';
import { createDeps } from './create-deps.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { accountTierChanged } from './listeners/account-tier-changed.ts';
import { jobProgressed } from './listeners/job-progressed.ts';
import { keyChanged } from './listeners/key-changed.ts';
import { keyRevoked } from './listeners/key-revoked.ts';
import { startGateway } from './start-gateway.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  start: startGateway,
  broadcasts: { keyRevoked, keyChanged, accountStatusChanged, accountTierChanged, jobProgressed },
});
