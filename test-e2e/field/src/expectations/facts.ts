import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import {
  assertDelivered,
  cueTexts,
  type Expectation,
  type Expectations,
  readFormats,
} from './expect-answer.ts';

type Chapter = { readonly start: number; readonly title: string };

/** The facts of a video, which its transcript brings along. */
const factsOf = async (player: Player, videoId: string) => {
  assertDelivered(await player.read(videoId));
  return assertDelivered(await player.facts(videoId)).body.video;
};

const STARTS = [0, 60, 120];
const TITLES = ['Start', 'Middle', 'End'];

const chapters =
  (videoId: string, check: (found: readonly Chapter[] | null) => void): Expectation =>
  async (player) =>
    check((await factsOf(player, videoId)).chapters);

const areThree = (found: readonly Chapter[] | null): void =>
  assert.deepEqual(
    found,
    STARTS.map((start, index) => ({ start, title: TITLES[index] })),
  );
const areThreeOrNone = (found: readonly Chapter[] | null): void => {
  if (found !== null) areThree(found);
};

const views = async (player: Player, videoId: string): Promise<number | null> =>
  (await factsOf(player, videoId)).view_count;

export const facts: Expectations = {
  'h40-hours-always': chapters('g7h40_00001', areThree),
  'h01-keycap': chapters('gh01_012345', areThree),
  'h03-range-to': chapters('gh03_012345', areThreeOrNone),
  'h05-two-languages': chapters('gh05_012345', areThreeOrNone),
  'h06-same-time': chapters('gh06_012345', (found) => {
    if (found === null) return;
    assert.deepEqual(
      found.map(({ start }) => start),
      STARTS,
    );
  }),
  'h07-hour-of-day': chapters('gh07_012345', (found) => {
    areThree(found?.slice(0, 3) ?? null);
    assert.ok(found && (found.length === 3 || (found.length === 4 && found[3]?.start === 1_110)));
  }),
  'h09-attached': async (player) => {
    areThree((await factsOf(player, 'gh09_012345')).chapters);
    const [json, clean = '', md = ''] = await readFormats(player, 'gh09_012345', ['clean', 'md']);
    for (const text of [clean, md]) {
      assert.match(text, /Start/);
      assert.ok(text.indexOf('Start') < text.indexOf(String(cueTexts(json)[0])));
    }
  },
  'h10-no-zero': chapters('gh10_012345', (found) => assert.equal(found, null)),
  'h11-odd-facts': async (player) => {
    assert.equal(await views(player, 'gh11a_01234'), null);
    assert.equal(await views(player, 'gh11b_01234'), null);
    assert.equal(await views(player, 'gh11c_01234'), 1_234_567);
    const odd = await factsOf(player, 'gh11d_01234');
    assert.deepEqual([odd.view_count, odd.duration], [null, null]);
  },
  'h13-tags-thumb': async (player) => {
    const { tags, thumbnail_url: thumbnail } = await factsOf(player, 'gh13_012345');
    for (const tag of tags) assert.match(tag, /^\S.*$/);
    assert.ok(tags.includes('a') && tags.includes('b c'), String(tags));
    assert.equal(thumbnail, 'https://i.ytimg.com/vi/x/maxres.jpg');
  },
  // Names of downloads and of files in an archive, and tables.
  'z40-name-lengths': async (player) => {
    const { rows } = await player.runJobToManifest(['g7z40_00001', 'g7z40_00002', 'g7z40_00003']);
    for (const { output_file: file } of rows) {
      const name = String(file).split('/').at(-1) ?? '';
      assert.ok(Buffer.byteLength(name) <= 143, name);
    }
  },
  'z42-tables': async (player) => {
    const ids = ['g7z42_00001', 'g7z42_00002', 'g7z42_00003', 'g7z42_00004', '10987654321', '1234567e890'];
    const { rows } = await player.runJobToManifest(ids);
    assert.deepEqual(
      rows.map(({ video_id: id }: { video_id: string }) => id),
      ids,
    );
  },
  'h14-dash-id': async (player) => {
    assertDelivered(await player.read('-gh14_01234'));
    const { status, rows } = await player.runJobToManifest(['-gh14_01234', '--gh14_0123', '__gh14_0123']);
    assert.deepEqual([status, rows?.length], ['completed', 3]);
    for (const { output_file: file } of rows) assert.doesNotMatch(String(file).split('/').at(-1) ?? '', /^-/);
  },
};
