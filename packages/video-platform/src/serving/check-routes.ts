import { ServiceError } from '@tds/contracts';
import type { Route } from '../health/route.ts';
import { cuesOf } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { Call, RouteCheck } from '../types.ts';
import type { Engine } from './engine.ts';
import { fetchTrack } from './fetch-track.ts';
import { guarded } from './guarded.ts';
import { inspectVideo } from './inspect-video.ts';

type Wanted = { readonly language: string };

/** The code of what went wrong; null if captions came. */
const tryRoute = async (engine: Engine, videoId: string, wanted: Wanted, call: Call) => {
  try {
    await guarded(async () => {
      const inspection = await inspectVideo(engine, videoId, wanted, call);
      const choice = chooseTrack(inspection, { ...wanted, fallback: true });
      await fetchTrack(engine, inspection, choice, call, cuesOf);
    });
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};

/** Each route is asked as if there were no other; its circuits count what it answers. Bytes of proxies are spent as ever. */
export const checkRoutes = (
  engine: Engine,
  videoId: string,
  wanted: Wanted,
  call: Call,
): Promise<readonly RouteCheck[]> =>
  Promise.all(
    engine.routes.map(async (route: Route) => ({
      strategy: route.strategy.name,
      egress: route.egress.name,
      code: await tryRoute({ ...engine, routes: [route] }, videoId, wanted, call),
    })),
  );
