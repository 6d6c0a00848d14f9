import type { Fault } from './fault.ts';
import { clockFaults } from './faults-of-clocks.ts';
import { diskFaults } from './faults-of-disks.ts';
import { processFaults } from './faults-of-processes.ts';
import { createBrokerFaults } from './faults-of-the-broker.ts';
import { databaseFaults } from './faults-of-the-database.ts';
import { networkFaults } from './faults-of-the-network.ts';
import { outsideFaults } from './faults-outside.ts';

/** Everything that the harness can do to a system. */
export const faultTable: readonly Fault[] = [
  ...processFaults,
  ...createBrokerFaults(),
  ...databaseFaults,
  ...outsideFaults,
  ...networkFaults,
  ...clockFaults,
  ...diskFaults,
];
