import { channelAt, playlistsOf } from '@tds/simulators/platform';
import type { Harness } from '../harness.ts';
import { makeCall } from './http-call.ts';
import { keepDoing } from './keep-doing.ts';
import { signUpRich } from './rich-customer.ts';
import { FIRST_GROWING } from './scene.ts';
import { by } from './transcript-calls.ts';

const FIRST_WATCHED = FIRST_GROWING + 1;
const WATCHED = 3;
const CATALOGUE_SEED = 1;
/** Longer than its feed, and still one page. Its videos are its channel's as well, so no monitor watches that channel. */
const OWNER = FIRST_GROWING;
const PLAYLIST = String(playlistsOf(channelAt(OWNER, CATALOGUE_SEED)!, CATALOGUE_SEED).at(-1)?.id);
const EVERY_MS = 2_500;
const CREATED = 201;

/** What is watched, by its id. */
const sources = new Map<string, { channel: string } | { playlist: string }>([
  [PLAYLIST, { playlist: PLAYLIST }],
]);
for (let index = FIRST_WATCHED; index < FIRST_WATCHED + WATCHED; index += 1) {
  const channel = String(channelAt(index, CATALOGUE_SEED)?.id);
  sources.set(channel, { channel });
}

const watch = async (harness: Harness, autoFetch: boolean): Promise<string[]> => {
  const { history, system } = harness;
  const { receiver } = system;
  const customer = await signUpRich(harness);
  const { headers, ...who } = by(customer);
  const hook = `${receiver.hookUrl}/${customer.accountId}?script=500,200`;
  const configured = await makeCall(history, {
    ...{ kind: 'webhook', about: customer.accountId, headers, ...who },
    ...{ url: `${system.gateway}/v1/webhooks`, method: 'PUT', body: { url: hook } },
  });
  const secret = String(configured.json?.webhook_secret);
  receiver.addSecret(secret);
  harness.customers.secrets.add(secret);
  const watched: string[] = [];
  for (const [id, source] of sources) {
    const { record } = await makeCall(history, {
      ...{ kind: 'monitor', url: `${system.gateway}/v1/monitors`, about: id, ...who },
      headers: { ...headers, 'idempotency-key': `monitor ${id}` },
      body: { ...source, auto_fetch: autoFetch, webhook_url: autoFetch ? hook : null },
    });
    if (record.status === CREATED) watched.push(id);
  }
  return watched;
};

/** Channels and a playlist that grow while the system is hurt. One customer receives their events, another has all videos fetched. */
export const keepUploading = async (
  harness: Harness,
  isOver: () => boolean,
): Promise<{ end(): Promise<void> }> => {
  const { traffic, uploads } = harness;
  await watch(harness, false);
  for (const source of await watch(harness, true)) uploads.set(source, []);
  const running = keepDoing(traffic.calls.upload, EVERY_MS, isOver);
  return { end: () => running };
};
