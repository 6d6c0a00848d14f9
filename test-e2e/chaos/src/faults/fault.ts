import type { Harness } from '../harness.ts';
import type { Need } from './probes.ts';

/** How a fault went. */
export type Blow = {
  /** When the last blow fell or the fault was lifted, in milliseconds of the run; now where nothing is said. */
  readonly struckAt?: number;
  /** False where the fault did not come about. */
  readonly happened?: boolean;
  /** Why it could not be done, here or at all. */
  readonly impossible?: string;
};

/** One kind of fault. The table of them is what the harness can do. */
export type Fault = {
  /** As in the list of faults that the system must survive. */
  readonly id: string;
  readonly name: string;
  readonly does: string;
  /** That it can be done to processes of this machine alone, and not to containers. */
  readonly ofProcesses?: true;
  /** Processes that die of it. */
  readonly kills: number;
  /** How long it lasts in a full run and in a quick one; 0 keeps it out of quick ones. */
  readonly holdMs: number;
  readonly quickHoldMs: number;
  /** Cached reads of customers and videos that gateway and Redis know are answered all the time. */
  readonly cachedReads: boolean;
  /** The gateway or Redis lose what they knew. */
  readonly forgets?: boolean;
  readonly needs: Need | ((target: string) => Need);
  /** What it can hit; the schedule picks one. */
  readonly targets: readonly string[];
  /** How many of the targets a full run hits on purpose; one where nothing is said. */
  readonly hits?: number;
  run(harness: Harness, blow: { readonly target: string; readonly holdMs: number }): Promise<Blow>;
  /** Puts right what `run` has left wrong on purpose: everything has to answer in spite of it before. */
  lift?(harness: Harness, target: string): Promise<void>;
};
