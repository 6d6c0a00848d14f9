import { type PayloadOf, type WebhookChange, webhookDispatcher } from '@tds/contracts';
import type { ListenerContext, Seals, Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { lockQueue } from '../store/queues.ts';
import {
  disableWebhook,
  findWebhook,
  nextWebhookVersion,
  readWebhookState,
  removeWebhook,
  saveWebhookVersion,
  type WebhookState,
  webhookState,
  webhookVersionOf,
  writeWebhookState,
} from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

export type ChangeParts = { readonly tx: Db; readonly send: Sender<Surface>; readonly seals: Seals };

type Change = {
  readonly accountId: string;
  readonly changes: WebhookChange[];
  readonly url: string;
  /** Null for a session and for the service itself. */
  readonly keyId: string | null;
};

/** Emits what a webhook has become, after each change of one. Resolves to the version of this change. The queue is held. */
export const webhookChanged = async (
  { tx, send, seals }: ChangeParts,
  { accountId, changes, url, keyId }: Change,
): Promise<number> => {
  const version = await nextWebhookVersion(tx, accountId);
  const state = await readWebhookState(tx, accountId);
  await send.emit(webhookDispatcher.webhookChanged, {
    ...{ accountId, changes, keyId, version },
    host: new URL(url).hostname,
    state: state && seals.seal(JSON.stringify(state), accountId),
  });
  return version;
};

type Owned = { readonly accountId: string; readonly keyId: string | null };

/** False if there was none. What waits to be sent keeps its secret, which is deleted after the last of it. The queue is held. */
export const deleteWebhookOf = async (parts: ChangeParts, { accountId, keyId }: Owned): Promise<boolean> => {
  const before = await findWebhook(parts.tx, accountId);
  if (before === null) return false;
  await removeWebhook(parts.tx, accountId);
  const { url } = before;
  const version = await webhookChanged(parts, { accountId, changes: ['removed'], url, keyId });
  await parts.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
  return true;
};

/** Says of webhooks that were just disabled that nothing is sent to them any more. The queues are held. */
export const webhookWasDisabled = async (
  parts: ChangeParts,
  change: 'disabled' | 'secret_lost',
  { accountId, url }: { readonly accountId: string; readonly url: string },
): Promise<void> => {
  const version = await webhookChanged(parts, { accountId, changes: [change], url, keyId: null });
  await parts.send.emit(webhookDispatcher.webhookDisabled, {
    accountId,
    host: new URL(url).hostname,
    version,
  });
};

type Told = PayloadOf<typeof webhookDispatcher.webhookChanged>;

/** Null if the key ring opens it, or the secret in it, no longer. */
const open = (seals: Seals, sealed: string, accountId: string): WebhookState | null => {
  try {
    const state = webhookState.parse(JSON.parse(seals.open(sealed, accountId)));
    seals.open(state.secret.sealed, accountId);
    return state;
  } catch {
    return null;
  }
};

/** The webhook of the copy may have an address or a secret that its owner has replaced: nothing is sent to it. */
const giveUp = async (parts: ChangeParts, { accountId, host }: Told): Promise<void> => {
  const disabled = await disableWebhook(parts.tx, accountId, 'secret_lost');
  if (disabled) return webhookWasDisabled(parts, 'secret_lost', disabled);
  const url = `https://${host}`;
  const version = await webhookChanged(parts, { accountId, changes: ['secret_lost'], url, keyId: null });
  await parts.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
};

/** A secret that was issued before this database went back stays issued, though the webhook was changed again since. */
const keepNewerSecret = async (parts: ChangeParts, { accountId }: Told, lost: WebhookState) => {
  const now = await readWebhookState(parts.tx, accountId);
  if (now === null || now.secret.createdAt >= lost.secret.createdAt) return;
  await writeWebhookState(parts.tx, accountId, { ...now, secret: lost.secret });
  await webhookChanged(parts, { accountId, changes: [], url: now.url, keyId: now.updatedByKeyId });
};

const retake = async (parts: ChangeParts, told: Told): Promise<void> => {
  const { accountId, version } = told;
  const isNewer = version > (await webhookVersionOf(parts.tx, accountId));
  const state = told.state === null ? null : open(parts.seals, told.state, accountId);
  if (!isNewer) return state ? keepNewerSecret(parts, told, state) : undefined;
  await saveWebhookVersion(parts.tx, accountId, version);
  if (told.state === null) await removeWebhook(parts.tx, accountId);
  else if (state === null) await giveUp(parts, told);
  else await writeWebhookState(parts.tx, accountId, state);
};

/**
 * This database went back to an older copy, and lacks a change that its owner was answered and others have heard of: it is made again,
 * in whatever order such changes are heard.
 */
export const retakeWebhook = (
  { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
  told: Told,
  { once }: Pick<ListenerContext, 'once'>,
): Promise<void> =>
  messaging.transaction(db, (tx, send) =>
    once(tx, async () => {
      await lockQueue(tx, told.accountId);
      await retake({ tx, send, seals }, told);
    }),
  );
