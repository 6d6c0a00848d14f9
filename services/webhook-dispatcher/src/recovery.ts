import type { Cipher } from '@tds/base';
import { type PayloadOf, webhookDispatcher } from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import { emitReceiverChanged } from './application/receiver-changes.ts';
import { type ChangeDeps, emitWebhookChanged, emitWebhookDisabled } from './application/webhook-changes.ts';
import type { Deps } from './deps.ts';
import { isChat } from './domain/receiver-address.ts';
import { lockQueue } from './store/queues.ts';
import {
  disableWithLostSecret,
  findKnownReceiver,
  type ReceiverSnapshot,
  readReceiverSnapshot,
  receiverSnapshot,
  writeReceiverState,
  writeReceiverTombstone,
} from './store/receivers.ts';
import {
  deleteWebhook,
  disableWebhook,
  readWebhookState,
  readWebhookVersion,
  saveWebhookVersion,
  type WebhookState,
  webhookState,
  writeWebhookState,
} from './store/webhooks.ts';

/*
 * After a restore of this database, its stream still has the events that it has lost. They are applied again, in any order and number.
 */

type LostChange = PayloadOf<typeof webhookDispatcher.webhookChanged>;

/** Null if the key ring no longer opens the state or the secret in it. */
const openState = (cipher: Cipher, encrypted: string, accountId: string): WebhookState | null => {
  try {
    const state = webhookState.parse(JSON.parse(cipher.decrypt(encrypted, accountId)));
    cipher.decrypt(state.secret.sealed, accountId);
    return state;
  } catch {
    return null;
  }
};

/** Disables the restored webhook: its URL or secret may be one that its owner has replaced since. */
const disableOutdated = async (deps: ChangeDeps, { accountId, host }: LostChange) => {
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

const restore = async (deps: ChangeDeps, change: LostChange) => {
  const { accountId, version } = change;
  const isNewer = version > (await readWebhookVersion(deps.tx, accountId));
  const state = change.state === null ? null : openState(deps.cipher, change.state, accountId);
  if (!isNewer) return state ? keepNewerSecret(deps, change, state) : undefined;
  await saveWebhookVersion(deps.tx, accountId, version);
  if (change.state === null) await deleteWebhook(deps.tx, accountId);
  else if (state === null) await disableOutdated(deps, change);
  else await writeWebhookState(deps.tx, accountId, state);
};

/** Restores a webhook to a newer state. */
export const webhookChanged = onEvent(webhookDispatcher.webhookChanged, (deps: Deps, change, context) =>
  runOnce(deps, context, async (tx, send) => {
    await lockQueue(tx, change.accountId);
    await restore({ tx, send, cipher: deps.cipher }, change);
  }),
);

type LostReceiverChange = PayloadOf<typeof webhookDispatcher.receiverChanged>;

/** Null if the key ring no longer opens the state or the secret in it. */
const openReceiverSnapshot = (
  cipher: Cipher,
  encrypted: string,
  accountId: string,
): ReceiverSnapshot | null => {
  try {
    const state = receiverSnapshot.parse(JSON.parse(cipher.decrypt(encrypted, accountId)));
    cipher.decrypt(state.secret.sealed, accountId);
    return state;
  } catch {
    return null;
  }
};

/** Keeps a secret that was taken before the restore, and of a chat the address that it is, even if the receiver has changed since. */
const keepNewerReceiverSecret = async (
  deps: ChangeDeps,
  change: LostReceiverChange,
  lost: ReceiverSnapshot,
) => {
  const { accountId, receiverId, keyId } = change;
  const current = await readReceiverSnapshot(deps.tx, receiverId);
  if (current === null || current.secret.createdAt >= lost.secret.createdAt) return;
  const state = { ...current, secret: lost.secret, ...(isChat(lost.form) && { url: lost.url }) };
  await writeReceiverState(deps.tx, { id: receiverId, accountId, version: change.version }, state);
  await emitReceiverChanged(deps, { accountId, receiverId, changes: [], keyId });
};

const restoreReceiver = async (deps: ChangeDeps, change: LostReceiverChange, now: Date) => {
  const { accountId, receiverId, version, name, form, host } = change;
  const known = await findKnownReceiver(deps.tx, receiverId);
  const place = { id: receiverId, accountId, version };
  const state = change.state === null ? null : openReceiverSnapshot(deps.cipher, change.state, accountId);
  if (known !== null && known.version >= version)
    return state ? keepNewerReceiverSecret(deps, change, state) : undefined;
  if (change.state === null)
    await writeReceiverTombstone(
      deps.tx,
      place,
      { name, form, url: isChat(form) ? host : `https://${host}/` },
      now,
    );
  else if (state !== null) await writeReceiverState(deps.tx, place, state);
  // Its address or secret may be one that was replaced since. A receiver that this database does not know has none.
  else if (known?.deletedAt === null && (await disableWithLostSecret(deps.tx, receiverId, version)))
    await emitReceiverChanged(deps, { accountId, receiverId, changes: ['disabled'], keyId: null });
};

/** Restores a receiver to a newer state. */
export const receiverChanged = onEvent(webhookDispatcher.receiverChanged, (deps: Deps, change, context) =>
  runOnce(deps, context, async (tx, send) => {
    await lockQueue(tx, change.accountId);
    await restoreReceiver({ tx, send, cipher: deps.cipher }, change, deps.now());
  }),
);
