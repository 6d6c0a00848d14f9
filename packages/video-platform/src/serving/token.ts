import type { Route } from '../health/route.ts';
import type { Engine } from './engine.ts';

/** A token for this video and client; null if the provider has none or fails. */
export const tokenFor = (
  engine: Engine,
  route: Route,
  videoId: string,
  signal: AbortSignal,
): Promise<string | null> =>
  engine.poToken
    .tokenFor({ videoId, client: route.strategy.client, egress: route.egress.name, signal })
    .catch(() => null);
