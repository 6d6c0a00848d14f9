import type { Corruption } from '#support/testing';

/** What is done to the records, the invariant that it breaks, and what the check says about it. */
export type Broken = readonly [title: string, invariant: string, corruption: Corruption, what: string];

export const oneSettled = `(SELECT min(r.ref) FROM reservations AS r JOIN entries AS e ON e.ref = r.ref AND e.kind = 'reserve'
  WHERE bit_count(r.charged) > 0 AND e.reason = 'transcript' AND r.job_id IS NULL)`;
/** Of the same read. */
export const oneDelivered = `(SELECT id FROM operations WHERE priority = 'reads' AND charge > 0 ORDER BY ref LIMIT 1)`;
