import type { Event } from '@tds/contracts';

/** What the event says to this release, or why it cannot read it. */
export const readPayload = (event: Event, body: string): { data: unknown } | { error: unknown } => {
  try {
    return { data: event.payload.parse(JSON.parse(body)) };
  } catch (error) {
    return { error };
  }
};
