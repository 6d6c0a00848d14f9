import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import { readCase } from '../scripts.ts';
import { assertDelivered, assertRefused, type Expectation, type Expectations } from './expect-answer.ts';
import { finds, watches } from './monitors.ts';

const DAY_S = 86_400;

/** The platform serves the videos of a case as they are later. */
export const goOn = async (folder: string, name: string, player: Player): Promise<void> => {
  for (const [id, video] of Object.entries(readCase(folder, name).later))
    await player.change(id, video as object);
};

const membersFirst =
  (folder: string): Expectation =>
  async (player) => {
    const video = 'g7p40_00001';
    const answer = await player.read(video);
    assertRefused(answer, { status: 410, retryable: true });
    assert.ok(answer.body.retry_after <= DAY_S, answer.text);
    await goOn(folder, 'p40-members-first', player);
    assertDelivered(await player.read(video, { refresh: 'true' }));
  };

/** Words without a subject and without details: nothing is kept about the video. */
const withoutSubject =
  (folder: string): Expectation =>
  async (player) => {
    const video = 'g7p41_00001';
    const answer = await player.read(video);
    assertRefused(answer, { retryable: true });
    assert.ok([429, 502].includes(answer.status), answer.text);
    await goOn(folder, 'p41-content-not-available', player);
    assertDelivered(await player.read(video));
  };

const refusedWith = (reason: string): object => ({
  tracks: [],
  players: { '*': { responseContext: {}, playabilityStatus: { status: 'UNPLAYABLE', reason } } },
});

/** Believed for a day, of the country of the one address. */
const countries =
  (folder: string): Expectation =>
  async (player) => {
    const { words } = readCase(folder, 'p43-legal-complaint');
    for (const [index, reason] of (words as string[]).entries()) {
      const video = `g7p43_0000${index}`;
      await player.change(video, refusedWith(reason));
      const answer = await player.read(video);
      assertRefused(answer, { status: 410, retryable: false });
      assert.equal(answer.body.retry_after, DAY_S, `${reason}: ${answer.text}`);
    }
  };

/** States of videos that end by themselves. */
export const states = (folder: string): Expectations => ({
  'm40-members-first': watches(
    'g7m40',
    finds(0),
    async (monitor, player) => {
      finds(0)(monitor);
      await goOn(folder, 'm40-members-first', player);
    },
    finds(1),
  ),
  // The look-up of a new video failed: it is told.
  'm42-blocked-then-out': watches('g7m42', finds(1), finds(1)),
  'p40-members-first': membersFirst(folder),
  'p41-content-not-available': withoutSubject(folder),
  'p43-legal-complaint': countries(folder),
});
