import { availabilityRows } from './availability-rows.ts';
import { captionRows } from './caption-rows.ts';
import { hostileRows } from './hostile-rows.ts';
import { routeRows } from './route-rows.ts';
import type { SpecialRow, SpecialVideo, StandingFault } from './special-video.ts';
import { textRows } from './text-rows.ts';

const rows: readonly SpecialRow[] = [
  ...captionRows,
  ...availabilityRows,
  ...routeRows,
  ...hostileRows,
  ...textRows,
];
const byId = new Map(rows.map((row) => [row.id, row]));

export const specialRow = (id: string): SpecialRow | undefined => byId.get(id);

export const standingFaults = (id: string): readonly StandingFault[] => byId.get(id)?.faults ?? [];

/** Every video with a behaviour of its own, whatever the seed. */
export const specialVideos: readonly SpecialVideo[] = rows.map(({ id, title, behaviour, expect }) => ({
  id,
  ...(title === undefined ? {} : { title }),
  behaviour,
  expect,
}));
