import { type Surface, wireNameOf } from '@tds/contracts';
import { createMessaging, type Runtime } from '@tds/messaging/internals';
import { usesObjects } from '@tds/objects/rights';
import { createCall } from '../commands/call.ts';
import type { Kit } from '../service.ts';
import type { Connections } from './connections.ts';
import type { Life } from './life.ts';

function requireResource<T>(part: T | undefined, message: string): T {
  if (part === undefined) throw new Error(message);
  return part;
}

/** Builds the kit of a service. Using a part without an address throws with its name. */
export const toServiceKit = (life: Life, runtime: Runtime, connections: Connections): Kit<Surface> => {
  const { service, surface, log, metrics, stops } = life;
  const { pool, database, objects, redis, projections, bodies } = connections;
  return {
    surface,
    log,
    metrics,
    get redis() {
      return requireResource(redis, `${service} has no REDIS_URL`);
    },
    get projections() {
      return requireResource(projections, `${service} has no REDIS_URL`);
    },
    get bodies() {
      return requireResource(bodies, `${service} has no REDIS_CACHE_URL`);
    },
    get db() {
      return requireResource(pool, `${service} has no DATABASE_URL`);
    },
    get objects() {
      const reason = usesObjects(surface)
        ? 'has neither OBJECTS_DATABASE_URL nor OBJECTS_S3_BUCKET'
        : 'has no objects in its surface';
      return requireResource(objects, `${service} ${reason}`);
    },
    messaging: createMessaging(life.dispatchers),
    call: createCall(runtime),
    onStop: stops.add,
    onDatabaseSwapped: (name, listener) => void database.onSwap(name, listener),
    onReady: (name, check) => void life.checks.set(name, check),
    onDue: (schedule, query) => void life.dueQueries.set(wireNameOf(schedule), query),
    onBacklog: (what, read) => void life.backlogs.set(what, read),
    announce: (name, address) => {
      life.addresses[name] = address;
    },
  };
};
