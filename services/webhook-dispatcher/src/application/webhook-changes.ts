import type { Seals } from '@tds/base';
import { type PayloadOf, type WebhookChange, webhookDispatcher } from '@tds/contracts';
import type { ListenerContext, Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { lockQueue } from '../store/queues.ts';
import {
  type DisabledWebhook,
  deleteWebhook,
  disableWebhook,
  findWebhook,
  nextWebhookVersion,
  readWebhookState,
  readWebhookVersion,
  saveWebhookVersion,
  type WebhookState,
  webhookState,
  writeWebhookState,
} from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

export type ChangeDeps = { readonly tx: Db; readonly send: Sender<Surface>; readonly seals: Seals };

type Change = {
  readonly accountId: string;
  readonly changes: WebhookChange[];
  readonly url: string;
  /** Null for a session and for this service. */
  readonly keyId: string | null;
};

/** Emits the state of a webhook after a change. Returns the version of the change. Requires the queue lock. */
export const emitWebhookChanged = async (
  { tx, send, seals }: ChangeDeps,
  { accountId, changes, url, keyId }: Change,
): Promise<number> => {
  const version = await nextWebhookVersion(tx, accountId);
  const state = await readWebhookState(tx, accountId);
  await send.emit(webhookDispatcher.webhookChanged, {
    accountId,
    changes,
    keyId,
    version,
    host: new URL(url).hostname,
    state: state && seals.seal(JSON.stringify(state), accountId),
  });
  return version;
};

type Owner = { readonly accountId: string; readonly keyId: string | null };

/** Returns false if there was no webhook. Waiting deliveries keep its secret until they end. Requires the queue lock. */
export const deleteAndEmit = async (deps: ChangeDeps, { accountId, keyId }: Owner): Promise<boolean> => {
  const webhook = await findWebhook(deps.tx, accountId);
  if (webhook === null) return false;
  await deleteWebhook(deps.tx, accountId);
  const { url } = webhook;
  const version = await emitWebhookChanged(deps, { accountId, changes: ['removed'], url, keyId });
  await deps.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
  return true;
};

/** Emits that a webhook was disabled in this transaction. Requires the queue lock. */
export const emitWebhookDisabled = async (
  deps: ChangeDeps,
  change: 'disabled' | 'secret_lost',
  { accountId, url }: DisabledWebhook,
): Promise<void> => {
  const version = await emitWebhookChanged(deps, { accountId, changes: [change], url, keyId: null });
  const { hostname: host } = new URL(url);
  await deps.send.emit(webhookDispatcher.webhookDisabled, { accountId, host, version });
};

type LostChange = PayloadOf<typeof webhookDispatcher.webhookChanged>;

/** Null if the key ring no longer opens the state or the secret in it. */
const openState = (seals: Seals, sealed: string, accountId: string): WebhookState | null => {
  try {
    const state = webhookState.parse(JSON.parse(seals.open(sealed, accountId)));
    seals.open(state.secret.sealed, accountId);
    return state;
  } catch {
    return null;
  }
};

/** Disables the restored webhook: its URL or secret may be one that its owner has replaced since. */
const disableOutdated = async (deps: ChangeDeps, { accountId, host }: LostChange): Promise<void> => {
  const webhook = await disableWebhook(deps.tx, accountId, 'secret_lost');
  if (webhook) return emitWebhookDisabled(deps, 'secret_lost', webhook);
  const url = `https://${host}`;
  const version = await emitWebhookChanged(deps, { accountId, changes: ['secret_lost'], url, keyId: null });
  await deps.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
};

/** Keeps a secret that was issued before the restore, even if the webhook has changed since. */
const keepNewerSecret = async (deps: ChangeDeps, { accountId }: LostChange, lostState: WebhookState) => {
  const current = await readWebhookState(deps.tx, accountId);
  if (current === null || current.secret.createdAt >= lostState.secret.createdAt) return;
  await writeWebhookState(deps.tx, accountId, { ...current, secret: lostState.secret });
  await emitWebhookChanged(deps, {
    accountId,
    changes: [],
    url: current.url,
    keyId: current.updatedByKeyId,
  });
};

const reapply = async (deps: ChangeDeps, change: LostChange): Promise<void> => {
  const { accountId, version } = change;
  const isNewer = version > (await readWebhookVersion(deps.tx, accountId));
  const state = change.state === null ? null : openState(deps.seals, change.state, accountId);
  if (!isNewer) return state ? keepNewerSecret(deps, change, state) : undefined;
  await saveWebhookVersion(deps.tx, accountId, version);
  if (change.state === null) await deleteWebhook(deps.tx, accountId);
  else if (state === null) await disableOutdated(deps, change);
  else await writeWebhookState(deps.tx, accountId, state);
};

/** Applies a change again that a restore of this database has lost. Lost changes may arrive in any order. */
export const reapplyLostChange = (
  { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
  change: LostChange,
  { once }: Pick<ListenerContext, 'once'>,
): Promise<void> =>
  messaging.transaction(db, (tx, send) =>
    once(tx, async () => {
      await lockQueue(tx, change.accountId);
      await reapply({ tx, send, seals }, change);
    }),
  );
