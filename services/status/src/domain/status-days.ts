import type { Incident, StatusDay } from '@tds/contracts';
import { OUTAGE_SLOTS, SLOT_MINUTES } from './outage.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS = 90;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** What the slots of a UTC day say. */
export type DaySlots = {
  readonly day: string;
  readonly observedSlots: number;
  readonly outageSlots: number;
};

const overlapMs = ({ beganAt, endedAt }: Incident, from: number, to: number, now: Date): number => {
  const end = endedAt === null ? now.getTime() : Date.parse(endedAt);
  return Math.max(0, Math.min(end, to) - Math.max(Date.parse(beganAt), from));
};

/** The last ninety UTC days, the oldest first: those of which nothing is known are `unknown`. */
export const statusDays = (
  slots: readonly DaySlots[],
  incidents: readonly Incident[],
  now: Date,
): StatusDay[] => {
  const known = new Map(slots.map((one) => [one.day, one]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, index) => {
    const from = today - (DAYS - 1 - index) * DAY_MS;
    const day = new Date(from).toISOString().slice(0, DATE_LENGTH);
    const { observedSlots, outageSlots } = known.get(day) ?? { observedSlots: 0, outageSlots: 0 };
    const incidentMs = incidents.reduce((sum, one) => sum + overlapMs(one, from, from + DAY_MS, now), 0);
    const impairedMinutes = Math.max(Math.ceil(incidentMs / MINUTE_MS), outageSlots * SLOT_MINUTES);
    return { day, impairedMinutes, state: stateOf({ observedSlots, outageSlots, impairedMinutes }) };
  });
};

const stateOf = ({
  observedSlots,
  outageSlots,
  impairedMinutes,
}: Omit<DaySlots, 'day'> & Pick<StatusDay, 'impairedMinutes'>): StatusDay['state'] => {
  if (outageSlots >= OUTAGE_SLOTS) return 'outage';
  if (impairedMinutes > 0) return 'impaired';
  return observedSlots === 0 ? 'unknown' : 'operational';
};
