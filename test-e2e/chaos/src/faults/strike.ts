import { sleep } from '#support';
import type { Harness } from '../harness.ts';
import type { Blow } from './fault.ts';
import { untilAnswers } from './probes.ts';
import type { Planned } from './schedule.ts';

const errorText = (error: unknown): string => String(error).split('\n', 1)[0] ?? '';

/** Carries out one planned fault, and waits until what it hit answers again. */
export const strike = async (harness: Harness, { fault, target, holdMs }: Planned): Promise<void> => {
  const { history, traffic } = harness;
  const at = history.now();
  if (fault.forgets) traffic.forgetHot();
  // One blow that the harness cannot deal does not end a run of half an hour; the report names it.
  const blow = await fault
    .run(harness, { target, holdMs })
    .catch((error: unknown): Blow => ({ impossible: errorText(error) }));
  const need = typeof fault.needs === 'string' ? fault.needs : fault.needs(target);
  const struckAt = blow.struckAt ?? history.now();
  const recoveredMs = await untilAnswers(harness, need, struckAt);
  await fault.lift?.(harness, target);
  // What was learnt while it was being hurt may have been forgotten again.
  if (fault.forgets) traffic.forgetHot();
  if (blow.impossible) harness.impossible.add(`${fault.name} (${blow.impossible})`);
  const happened = blow.happened ?? blow.impossible === undefined;
  history.add({
    type: 'fault',
    fault: fault.name,
    target,
    kills: happened ? fault.kills : 0,
    at,
    until: history.now(),
    recoveredMs,
    cachedReads: fault.cachedReads,
    happened,
  });
  const recovery = recoveredMs === null ? 'NOT RECOVERED' : `recovered in ${recoveredMs} ms`;
  const outcome = happened ? recovery : (blow.impossible ?? 'did not come about');
  const seconds = ((history.now() - at) / 1000).toFixed(1);
  harness.say(`${fault.id} ${fault.name} ${target} for ${seconds} s: ${outcome}`);
};

/** All of them in order, none before its time. */
export const strikeAll = async (
  harness: Harness,
  planned: readonly Planned[],
  isOver: () => boolean,
): Promise<number> => {
  const begunAt = harness.history.now();
  let struck = 0;
  for (const each of planned) {
    if (isOver()) break;
    await sleep(Math.max(0, begunAt + each.atMs - harness.history.now()));
    await strike(harness, each);
    struck += 1;
  }
  return struck;
};
