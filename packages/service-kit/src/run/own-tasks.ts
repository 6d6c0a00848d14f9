import type { Surface, Task } from '@tds/contracts';
import { replayTask } from '../tasks/replay-event.ts';

/** The tasks that a service works on: its own, and the kit's. */
export const ownTasks = ({ name, contract }: Surface): Task[] => [
  ...Object.values(contract.tasks),
  replayTask(name),
];
