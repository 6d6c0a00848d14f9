import type { Shown } from '../catalogue/shown.ts';
import type { Uploads } from '../catalogue/uploads.ts';
import type { FaultRegistry } from '../faults/fault-registry.ts';
import type { Places } from './places.ts';
import type { RequestLog } from './request-log.ts';

/** Everything that the routes share. */
export type Simulation = {
  seed: number;
  now: () => number;
  /** Where caption URLs point to; known once the server listens. */
  origin: string;
  latencyMs: number;
  places: Places;
  uploads: Uploads;
  shown: Shown;
  faults: FaultRegistry;
  log: RequestLog;
};
