import { listInstances } from '@tds/local';
import { type SystemKind, systems } from '../systems.ts';
import { createBrokerFaults } from './broker.ts';
import { clockFaults } from './clocks.ts';
import { createDatabaseFaults } from './database.ts';
import { diskFaults } from './disks.ts';
import type { Fault } from './fault.ts';
import { freezes } from './freezes.ts';
import { networkFaults } from './network.ts';
import { installationFault, scaleDown, upgradeFault } from './operations.ts';
import { outsideFaults } from './platform.ts';
import { killAll, processFaults } from './processes.ts';
import { refilledJob } from './refilled-job.ts';

/** Everything that the harness can do to such a system. */
export const faultTable = (kind: SystemKind): readonly Fault[] => {
  const all: readonly Fault[] = [
    ...processFaults,
    refilledJob,
    ...freezes,
    killAll(listInstances(systems[kind].instances).length),
    ...createBrokerFaults(systems[kind].brokers),
    ...createDatabaseFaults(systems[kind].postgres),
    ...outsideFaults,
    ...networkFaults,
    ...clockFaults,
    ...diskFaults,
  ];
  if (kind === 'replicas') return [...all, upgradeFault];
  if (kind === 'processes') return all;
  const ofContainers = [...all.filter(({ ofProcesses }) => !ofProcesses), scaleDown];
  return kind === 'containers' ? [...ofContainers, installationFault] : ofContainers;
};
