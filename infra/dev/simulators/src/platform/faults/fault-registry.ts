import { lastingFaults } from '../special-videos.ts';
import { type Fault, type FaultInput, type FaultName, faultSchema } from './fault.ts';
import { hits, type PlatformRequest } from './fault-scope.ts';

export type ListedFault = Fault & { id: string; hitCount: number };
export type ActiveFault = { fault: FaultName; latencyMs?: number | undefined };

export type FaultRegistry = {
  /** @throws ZodError for a fault that is not well-formed. */
  add(input: FaultInput): string;
  remove(id: string): boolean;
  clear(): void;
  list(): ListedFault[];
  /** The fault that hits a request, if any; counts towards its `times`. */
  take(request: PlatformRequest): ActiveFault | undefined;
};

/** Faults on demand, oldest first; the lasting faults of special videos come after them. */
export const createFaultRegistry = (): FaultRegistry => {
  const faults = new Map<string, ListedFault>();
  let added = 0;

  const takeOnDemand = (request: PlatformRequest): ActiveFault | undefined => {
    for (const fault of faults.values()) {
      if (!hits(fault.fault, fault.match, request)) continue;
      fault.hitCount += 1;
      if (fault.hitCount === fault.times) faults.delete(fault.id);
      return fault;
    }
    return undefined;
  };

  return {
    add: (input) => {
      added += 1;
      const id = `fault-${added}`;
      faults.set(id, { ...faultSchema.parse(input), id, hitCount: 0 });
      return id;
    },
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    list: () => [...faults.values()],
    take: (request) =>
      takeOnDemand(request) ??
      lastingFaults(request.videoId).find((difference) => hits(difference.fault, difference, request)),
  };
};
