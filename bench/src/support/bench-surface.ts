import { defineSurface } from '@tds/contracts';
import { benchContract } from './bench-event.ts';
import { taskContract } from './bench-task.ts';

/** Of the service that is all helpers to the broker: their rights are those of both contracts. */
export const benchSurface = defineSurface({ ...taskContract, events: benchContract.events });
