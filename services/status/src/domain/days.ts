import { DAY_MS, type Impairment, type Incident, MINUTE_MS, type StatusDay } from '@tds/contracts';

/** Observations of a slot count as one. */
const SLOT_MINUTES = 10;
/** Unhealthy slots that make a day an outage: four hours. */
export const OUTAGE_SLOTS = 24;
/** Wait after the end of a day for late observations. */
export const EVALUATED_AFTER_MS = 60 * MINUTE_MS;

/** The start of the slot that contains `at`. */
export const slotOf = (at: Date): Date => {
  const slotMs = SLOT_MINUTES * MINUTE_MS;
  return new Date(Math.floor(at.getTime() / slotMs) * slotMs);
};

/** The impairments from a moment on. */
export type Change = { readonly changedAt: Date; readonly impaired: readonly Impairment[] };

/** An incident lasts from the first impairment until there is none. Takes changes oldest first; returns incidents newest first. */
export const toIncidents = (changes: readonly Change[]): Incident[] => {
  const incidents: Incident[] = [];
  for (const { changedAt, impaired } of changes) {
    const at = changedAt.toISOString();
    const open = incidents.at(-1)?.endedAt === null ? incidents.pop() : undefined;
    if (impaired.length > 0) {
      const all = new Set([...(open?.impaired ?? []), ...impaired]);
      incidents.push({ beganAt: open?.beganAt ?? at, endedAt: null, impaired: [...all] });
    } else if (open) incidents.push({ ...open, endedAt: at });
  }
  return incidents.toReversed();
};

export const SHOWN_DAYS = 90;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** The observed slots of one UTC day. */
export type DaySlots = {
  readonly day: string;
  readonly observedSlots: number;
  readonly outageSlots: number;
};

const overlapMs = ({ beganAt, endedAt }: Incident, from: number, to: number, now: Date): number => {
  const end = endedAt === null ? now.getTime() : Date.parse(endedAt);
  return Math.max(0, Math.min(end, to) - Math.max(Date.parse(beganAt), from));
};

/** The last ninety UTC days, oldest first. Days without observations are `unknown`. */
export const statusDays = (
  slots: readonly DaySlots[],
  incidents: readonly Incident[],
  now: Date,
): StatusDay[] => {
  const byDay = new Map(slots.map((one) => [one.day, one]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const from = today - (SHOWN_DAYS - 1 - index) * DAY_MS;
    const day = new Date(from).toISOString().slice(0, DATE_LENGTH);
    const { observedSlots, outageSlots } = byDay.get(day) ?? { observedSlots: 0, outageSlots: 0 };
    const incidentMs = incidents.reduce((sum, one) => sum + overlapMs(one, from, from + DAY_MS, now), 0);
    const impairedMinutes = Math.max(Math.ceil(incidentMs / MINUTE_MS), outageSlots * SLOT_MINUTES);
    return { day, impairedMinutes, state: toState({ observedSlots, outageSlots, impairedMinutes }) };
  });
};

const toState = ({
  observedSlots,
  outageSlots,
  impairedMinutes,
}: Omit<DaySlots, 'day'> & Pick<StatusDay, 'impairedMinutes'>): StatusDay['state'] => {
  if (outageSlots >= OUTAGE_SLOTS) return 'outage';
  if (impairedMinutes > 0) return 'impaired';
  return observedSlots === 0 ? 'unknown' : 'operational';
};
