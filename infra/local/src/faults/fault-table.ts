import type { Fault } from './fault.ts';
import { processFaults } from './faults-of-processes.ts';
import { createBrokerFaults } from './faults-of-the-broker.ts';
import { databaseFaults } from './faults-of-the-database.ts';
import { outsideFaults } from './faults-outside.ts';

/** Everything that the harness can do to a system. */
export const faultTable: readonly Fault[] = [
  ...processFaults,
  ...createBrokerFaults(),
  ...databaseFaults,
  ...outsideFaults,
];
