import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Player } from '../player.ts';
import { readCase, type Script } from '../scripts.ts';
import {
  assertDelivered,
  assertDeliveredOrRefused,
  assertRefused,
  type Expectations,
} from './expect-answer.ts';

type Servers = { readonly platform: Script; readonly tokens: Script };
type Check = (player: Player, video: string) => Promise<void>;

const WELL_AGAIN_MS = 60_000;

const words: Check = async (player, video) =>
  assert.match(assertDelivered(await player.read(video, { format: 'clean' })).body.text, /gated words/);

/** The captions of videos behind a token, in the order in which a failing provider hurts the next case least. */
export const tokens = (folder: string, { platform, tokens: provider }: Servers): Expectations => {
  const at = (name: string, check: Check) => ({
    [name]: async (player: Player) => {
      const given = readCase(folder, name);
      await provider.tell('clear');
      await provider.tell('mode', given.tokens);
      try {
        await check(player, Object.keys(given.videos)[0] ?? '');
      } finally {
        await provider.tell('mode', {});
      }
    },
  });
  const asked = async (video: string): Promise<number> =>
    (await provider.tell('log')).filter(
      (one: { asked: { content_binding: string } }) => one.asked.content_binding === video,
    ).length;
  const assertWellAgain: Check = async (player, video) => {
    await provider.tell('mode', {});
    const end = Date.now() + WELL_AGAIN_MS;
    while ((await player.read(video)).status !== 200 && Date.now() < end) await delay(1_000);
    await words(player, video);
  };
  const failsForAWhile: Check = async (player, video) => {
    assertRefused(await player.read(video), { status: 502, code: 'upstream_error', retryable: true });
    await assertWellAgain(player, video);
  };
  return {
    ...at('k01-bound', async (player, video) => {
      await words(player, video);
      assert.equal(await asked(video), 1);
    }),
    ...at('k05-nanoseconds', words),
    ...at('k08-slow', words),
    ...at('k10-odd-characters', words),
    ...at('k11-unmarked-gate', words),
    ...at('t34-cantonese', async (player, video) => {
      for (const language of ['yue', 'zh-yue', 'yue-HK']) {
        const { language: got } = assertDelivered(await player.read(video, { language })).body;
        assert.deepEqual([got.delivered, got.kind, got.fallback], ['yue', 'asr', false], `for ${language}`);
      }
      assert.ok((await asked(video)) > 0);
      const english = assertDelivered(await player.read(video, { language: 'en' }));
      assert.equal(english.body.language.delivered, 'en');
    }),
    ...at('k14-legacy', async (player, video) => assertDeliveredOrRefused(await player.read(video))),
    ...at('k02-wrong-binding', async (player, video) => {
      await failsForAWhile(player, video);
      const sent: { query?: string }[] = await platform.tell('log');
      assert.ok(!sent.some(({ query = '' }) => query.includes('pot=tok-other')));
    }),
    ...at('k04-expired', async (player, video) => {
      assertRefused(await player.read(video), { status: 502, code: 'po_token_required' });
      assert.ok((await asked(video)) <= 8, `${await asked(video)} tokens`);
      await assertWellAgain(player, video);
    }),
    ...at('k06-server-500', failsForAWhile),
    ...at('k16-other-client', async (player, video) => {
      assertDelivered(await player.read(video));
    }),
  };
};
