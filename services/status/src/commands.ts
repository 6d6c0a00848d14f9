import { status } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import { readStatus } from './application/status.ts';
import type { Deps } from './deps.ts';
import { statusDays, toIncidents } from './domain/days.ts';
import { readChanges, readDaySlots, saveLatency } from './store/observations.ts';

export const getStatus = onCommand(status.getStatus, async ({ db, now, latency }: Deps) => {
  const at = await now();
  const [observedStatus, bounds] = await Promise.all([readStatus(db, at), latency.read(at)]);
  return { ...observedStatus, latency: bounds };
});

const MAX_INCIDENTS = 50;

export const getHistory = onCommand(status.getHistory, async ({ db, now }: Deps) => {
  const at = await now();
  const [slots, changes] = await Promise.all([readDaySlots(db, at), readChanges(db, at)]);
  const incidents = toIncidents(changes);
  return { days: statusDays(slots, incidents, at), incidents: incidents.slice(0, MAX_INCIDENTS) };
});

export const recordLatency = onCommand(status.recordLatency, async ({ db }: Deps, { instance, slots }) => {
  await saveLatency(db, instance, slots);
  return {};
});
