import { status } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { incidentsOf } from '../domain/incidents.ts';
import { statusDays } from '../domain/status-days.ts';
import { readChanges } from '../store/changes.ts';
import { readDaySlots } from '../store/slots.ts';

const MOST_INCIDENTS = 50;

export const getHistory = onCommand(status.getHistory, async ({ db, now }: Pick<Deps, 'db' | 'now'>) => {
  const at = await now();
  const [slots, changes] = await Promise.all([readDaySlots(db, at), readChanges(db, at)]);
  const incidents = incidentsOf(changes);
  return { days: statusDays(slots, incidents, at), incidents: incidents.slice(0, MOST_INCIDENTS) };
});
