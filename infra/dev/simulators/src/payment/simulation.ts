import type { Deliveries, Emit } from './deliveries.ts';
import type { Faults } from './faults.ts';
import type { State } from './state.ts';

/** All that one running simulator is. */
export type Simulation = {
  readonly state: State;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  readonly emit: Emit;
  /** By idempotency key. */
  readonly answered: Map<string, { readonly asked: string; readonly answer: object }>;
  origin: string;
};
