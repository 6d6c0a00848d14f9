import { databasesOn, type Evidence, openEvidence } from '../checker/evidence.ts';
import type { Customers } from './customers.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { ScratchSystem } from './scratch-system.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Traffic } from './traffic.ts';

/** Where faults happen: the system, its customers, and what was seen so far. */
export type Arena = {
  readonly system: ScratchSystem;
  readonly history: History;
  readonly customers: Customers;
  readonly traffic: Traffic;
  /** For choices that the schedule does not make, such as which fault of the platform. */
  readonly random: Random;
  readonly evidence: Evidence;
  /** Times that a frozen worker was refused when it came back late. */
  fencings: number;
  /** Events that the broker had acknowledged and that a power cut took from it; at least so many. */
  lostByBroker: number;
  /** Faults that could not be made, with the reason. */
  readonly impossible: Set<string>;
  say(line: string): void;
};

export const createArena = (
  parts: Omit<Arena, 'evidence' | 'fencings' | 'lostByBroker' | 'impossible'>,
): Arena => ({
  ...parts,
  evidence: openEvidence(databasesOn(parts.system.servers.postgres.url), { atRest: true }),
  fencings: 0,
  lostByBroker: 0,
  impossible: new Set(),
});

export const processNamed = ({ system }: Arena, name: string): ServiceProcess => {
  const found = system.processes.find((each) => each.name === name);
  if (!found) throw new Error(`there is no process ${name}`);
  return found;
};
