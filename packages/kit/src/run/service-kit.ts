import type { Check } from '@tds/base/internals';
import { type Surface, wireNameOf } from '@tds/contracts';
import type { Runtime } from '@tds/messaging/internals';
import { createMessaging, type Dispatchers } from '@tds/messaging/internals';
import { usesObjects } from '@tds/objects/rights';
import { createCall } from '../commands/call.ts';
import type { Backlog, Kit, Measures } from '../service.ts';
import type { Foundations } from './foundations.ts';
import type { StopList } from './stop-list.ts';

type Lending = {
  readonly runtime: Runtime;
  readonly foundations: Foundations;
  readonly dispatchers: Dispatchers;
  readonly stops: StopList;
  readonly checks: Map<string, Check>;
  readonly addresses: Record<string, string>;
  readonly measures: Measures;
  readonly backlogs: Map<string, () => Promise<Backlog>>;
  /** By the wire names of schedules. */
  readonly dueQuestions: Map<string, string>;
};

function owned<T>(part: T | undefined, message: string): T {
  if (part === undefined) throw new Error(message);
  return part;
}

/** Builds the kit of a service. Using a part without an address throws with its name. */
export const toServiceKit = ({
  runtime,
  foundations,
  dispatchers,
  stops,
  checks,
  addresses,
  measures,
  backlogs,
  dueQuestions,
}: Lending): Kit<Surface> => {
  const { service, surface, log, metrics } = runtime;
  const { pool, database, objects, redis, projections, bodies } = foundations;
  return {
    surface,
    log,
    metrics,
    measures,
    get redis() {
      return owned(redis, `${service} has no REDIS_URL`);
    },
    get projections() {
      return owned(projections, `${service} has no REDIS_URL`);
    },
    get bodies() {
      return owned(bodies, `${service} has no REDIS_CACHE_URL`);
    },
    get db() {
      return owned(pool, `${service} has no DATABASE_URL`);
    },
    get objects() {
      const lack = usesObjects(surface)
        ? 'has neither OBJECTS_DATABASE_URL nor OBJECTS_S3_BUCKET'
        : 'has no objects in its surface';
      return owned(objects, `${service} ${lack}`);
    },
    messaging: createMessaging(dispatchers),
    call: createCall(runtime),
    onStop: stops.add,
    onDatabaseSwapped: (name, listener) => void database.onSwap(name, listener),
    onReady: (name, check) => void checks.set(name, check),
    onDue: (schedule, question) => void dueQuestions.set(wireNameOf(schedule), question),
    onBacklog: (what, read) => void backlogs.set(what, read),
    announce: (name, address) => {
      addresses[name] = address;
    },
  };
};
