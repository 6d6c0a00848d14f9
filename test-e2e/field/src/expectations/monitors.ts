import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import type { Expectation, Expectations } from './expect-answer.ts';

type Watched = {
  readonly new_videos: number;
  readonly consecutive_failures: number;
  readonly status: string;
};

/** Shows the feeds of a case one after the other, and checks what the monitor knows after each. */
export const watches =
  (name: string, ...steps: ((monitor: Watched, player: Player) => unknown)[]): Expectation =>
  async (player) => {
    const channel = `UC${name}${'z'.repeat(22 - name.length)}`;
    const { created, show } = await player.watchChannel(channel);
    assert.equal(created.status, 201, created.text.slice(0, 300));
    for (const [index, check] of steps.entries()) await check(await show(index + 1), player);
  };

export const finds = (count: number) => (monitor: Watched) =>
  assert.deepEqual([monitor.new_videos, monitor.consecutive_failures], [count, 0]);
const fails = (monitor: Watched) =>
  assert.deepEqual([monitor.new_videos, monitor.consecutive_failures, monitor.status], [0, 1, 'active']);

export const monitors: Expectations = {
  'm01-future-date': watches('m01', finds(2)),
  'm02-updated-only': watches('m02', finds(0)),
  'm03-private-and-back': watches('m03', finds(0), finds(0)),
  'm04b-new-at-the-end': watches('m04b', finds(1)),
  'm05-short': watches('m05', finds(1)),
  'm07-bom': watches('m07', finds(1)),
  'm07b-utf16': watches('m7b', (monitor) =>
    assert.ok(monitor.new_videos === 1 || monitor.consecutive_failures === 1),
  ),
  'm09-500': watches('m09', fails),
  'm10-empty-first': watches('m10', finds(3)),
  'm11-empty-later': watches('m11', finds(0), finds(0)),
  'm12-html-200': watches('m12', fails),
  'm13-no-dates': watches('m13', finds(1)),
  'm14-reupload': watches('m14', finds(1)),
  'm15-premiere': watches('m15', finds(0)),
  'm20-404-wave': watches('gm20', finds(1), finds(1), finds(1)),
  'm22-oldest-first': watches('gm22', finds(1)),
  'm23-duplicates': watches('gm23', finds(1)),
  'm24-republished': watches('gm24', finds(0)),
  'm25-premiere-twice': watches('gm25', finds(0), finds(1)),
  'm27-other-channel': watches('gm27', fails, finds(0)),
  'm29-scheduled-old-date': watches('gm29', finds(1)),
  // A 500 counts until the feed is whole again.
  'm30-flapping': watches('gm30', finds(0), fails, finds(0), finds(0), fails, finds(1)),
};
