import { defineService } from '@tds/service-kit';
import type { Overrides } from './deps.ts';
import { startGateway } from './start-gateway.ts';
import { surface } from './surface.ts';

/** Tests may put their own clocks, limits and waits in. */
export const gatewayWith = (overrides: Overrides) =>
  defineService({
    surface,
    start: (kit, environment) => startGateway(kit, environment, overrides),
  });

export const gateway = gatewayWith({});
