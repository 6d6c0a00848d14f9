import type { FrontDeps } from './front/front-deps.ts';
import type { TrustedProxy } from './front/input/client-address.ts';
import type { PrincipalMemory } from './principals/projected-principals.ts';

/** What serving depends on, what broadcasts change, and how it ends. */
export type GatewayDeps = FrontDeps & {
  readonly principals: PrincipalMemory;
  readonly isTrustedProxy: TrustedProxy;
  /** Fires when the process stops accepting requests. */
  readonly ending: AbortController;
};
