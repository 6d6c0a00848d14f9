import { createBrokerFaults } from './broker.ts';
import { clockFaults } from './clocks.ts';
import { databaseFaults } from './database.ts';
import { diskFaults } from './disks.ts';
import type { Fault } from './fault.ts';
import { networkFaults } from './network.ts';
import { outsideFaults } from './platform.ts';
import { processFaults } from './processes.ts';

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
