import { defineService } from '@tds/service-kit';
import { startGateway } from './start-gateway.ts';
import { surface } from './surface.ts';

export const gateway = defineService({
  surface,
  start: (kit, environment) => startGateway(kit, environment),
});
