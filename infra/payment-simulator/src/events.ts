import type { Deliver } from './deliveries.ts';
import { add, newId, type Resource, type State } from './state.ts';

/** Tells what has happened to an object, as it is now. */
export type Emit = (type: string, object: Resource) => void;

export const API_VERSION = '2026-10-28.endive';

/** Keeps an event for the list, and delivers it. */
export const createEmit =
  (state: State, deliver: Deliver): Emit =>
  (type, object) => {
    const event = add(state, 'events', {
      ...{ id: newId('evt'), object: 'event', type, api_version: API_VERSION },
      data: { object: structuredClone(object) },
    });
    deliver(event);
  };
