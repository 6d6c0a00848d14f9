import { randomUUID } from 'node:crypto';
import {
  MAX_RECEIVERS,
  MAX_REPLAYED_DELIVERIES,
  newId,
  type Receiver,
  type ReceiverForm,
  type RequestOf,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { checkDestination, decryptOrReject } from '../application/check-destination.ts';
import {
  countRequest,
  deliverToReceiver,
  lockEnabledReceiver,
  lockReceiver,
} from '../application/create-delivery.ts';
import { emitReceiverChanged, endAndEmit } from '../application/receiver-changes.ts';
import { repeatToReceiver } from '../application/repeat-delivery.ts';
import type { Deps } from '../deps.ts';
import { isChat, shownAddress } from '../domain/receiver-address.ts';
import type { Db } from '../store/database.ts';
import { findFailedDeliveries, getDelivery, insertDelivery, toDelivery } from '../store/deliveries.ts';
import { lockQueue } from '../store/queues.ts';
import {
  findReceiver,
  findReceivers,
  insertReceiver,
  type LiveReceiver,
  updateReceiver,
} from '../store/receivers.ts';
import { insertSecret } from '../store/webhooks.ts';

const toReceiver = (row: LiveReceiver): Receiver => ({
  ...{ id: row.id, name: row.name, form: row.form, url: row.url, events: row.events },
  ...{ named_only: row.namedOnly, enabled: row.enabled },
  disabled_reason: row.disabledReason,
  disabled_at: row.disabledAt?.toISOString() ?? null,
  failing_since: row.failingSince?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  created_by_key_id: row.createdByKeyId,
  updated_by_key_id: row.updatedByKeyId,
});

const getLive = async (db: Deps['db'] | Db, accountId: string, receiverId: string): Promise<LiveReceiver> => {
  const receiver = await findReceiver(db, accountId, receiverId);
  if (receiver === null) throw serviceError('receiver_not_found');
  return receiver;
};

export const listReceivers = onCommand(
  webhookDispatcher.listReceivers,
  async ({ db }: Deps, { accountId }) => ({
    receivers: (await findReceivers(db, accountId)).map(toReceiver),
  }),
);

export const checkReceivers = onCommand(
  webhookDispatcher.checkReceivers,
  async ({ db }: Deps, { accountId, receiverIds }) => {
    const known = new Set((await findReceivers(db, accountId)).map(({ id }) => id));
    const missing = receiverIds.find((id) => !known.has(id));
    if (missing !== undefined)
      throw serviceError('receiver_not_found', { message: `The account has no receiver ${missing}.` });
    return {};
  },
);

export const getReceiver = onCommand(
  webhookDispatcher.getReceiver,
  async ({ db }: Deps, { accountId, receiverId }) => ({
    receiver: toReceiver(await getLive(db, accountId, receiverId)),
  }),
);

type EncryptedAddress = Pick<RequestOf<typeof webhookDispatcher.createReceiver>, 'accountId' | 'sealedUrl'>;

/** Opens and checks an encrypted address. Throws as `checkDestination`. */
const readAddress = async ({ guard, cipher }: Deps, { accountId, sealedUrl }: EncryptedAddress): Promise<URL> =>
  new URL(await checkDestination(guard, decryptOrReject(cipher, sealedUrl, accountId), 'webhook_url_invalid'));

/** The encrypted secret of a receiver of this form: that for its signatures, or its address. */
const secretFor = (
  { cipher }: Deps,
  form: ReceiverForm,
  address: URL,
  { accountId, sealedSecret }: { accountId: string; sealedSecret: string },
): string => (isChat(form) ? cipher.encrypt(address.href, accountId) : sealedSecret);

export const createReceiver = onCommand(webhookDispatcher.createReceiver, async (deps: Deps, request) => {
  const { db, messaging, cipher, now } = deps;
  const { accountId, keyId, name, form, events, namedOnly = false } = request;
  const address = await readAddress(deps, request);
  decryptOrReject(cipher, request.sealedSecret, accountId);
  const receiverId = newId(now());
  return messaging.transaction(db, async (tx, send) => {
    await lockQueue(tx, accountId);
    if ((await findReceivers(tx, accountId)).length >= MAX_RECEIVERS) throw serviceError('receiver_limit');
    await countRequest(tx, accountId, now());
    const secretId = await insertSecret(tx, accountId, secretFor(deps, form, address, request), now());
    await insertReceiver(
      tx,
      {
        ...{ id: receiverId, accountId, name, form, url: shownAddress(form, address), secretId, events },
        ...{ namedOnly, createdByKeyId: keyId },
      },
      now(),
    );
    await emitReceiverChanged({ tx, send, cipher }, { accountId, receiverId, changes: ['created'], keyId });
    const receiver = toReceiver(await getLive(tx, accountId, receiverId));
    return { receiver, isSecretTaken: !isChat(form) };
  });
});

export const changeReceiver = onCommand(webhookDispatcher.changeReceiver, async (deps: Deps, request) => {
  const { db, messaging, cipher, now } = deps;
  const { accountId, receiverId, keyId, name, events, namedOnly, sealedUrl, rotateSecret } = request;
  await getLive(db, accountId, receiverId);
  const address = sealedUrl === undefined ? null : await readAddress(deps, { accountId, sealedUrl });
  decryptOrReject(cipher, request.sealedSecret, accountId);
  return messaging.transaction(db, async (tx, send) => {
    const { form, url: oldUrl } = await lockReceiver(tx, accountId, receiverId);
    if (rotateSecret && isChat(form)) throw serviceError('receiver_without_secret');
    const url = address === null ? oldUrl : shownAddress(form, address);
    // The address of a chat is its secret: whether it is another one is not compared.
    const hasNewSecret = isChat(form) ? address !== null : rotateSecret;
    const encrypted =
      isChat(form) && address !== null ? cipher.encrypt(address.href, accountId) : request.sealedSecret;
    const secretId = hasNewSecret ? await insertSecret(tx, accountId, encrypted, now()) : undefined;
    const fields = {
      ...{ updatedByKeyId: keyId, url },
      ...(name !== undefined && { name }),
      ...(events !== undefined && { events }),
      ...(namedOnly !== undefined && { namedOnly }),
      ...(secretId !== undefined && { secretId }),
    };
    const receiver = await updateReceiver(tx, receiverId, fields, now());
    const hasMoved = isChat(form) ? address !== null : url !== oldUrl;
    const changes = [
      ...(hasMoved ? (['address'] as const) : []),
      ...(rotateSecret ? (['secret'] as const) : []),
    ];
    await emitReceiverChanged({ tx, send, cipher }, { accountId, receiverId, changes, keyId });
    return { receiver: toReceiver(receiver), isSecretTaken: rotateSecret };
  });
});

export const deleteReceiver = onCommand(
  webhookDispatcher.deleteReceiver,
  async ({ db, messaging, cipher }: Deps, { accountId, receiverId, keyId }) => {
    await messaging.transaction(db, async (tx, send) => {
      await lockReceiver(tx, accountId, receiverId);
      await endAndEmit({ tx, send, cipher }, { accountId, receiverId, keyId });
    });
    return { deleted: true as const };
  },
);

export const testReceiver = onCommand(
  webhookDispatcher.testReceiver,
  async ({ db, messaging, sender, publicUrl, now }: Deps, { accountId, receiverId }) => {
    const delivery = await messaging.transaction(db, async (tx) => {
      const receiver = await lockEnabledReceiver(tx, accountId, receiverId);
      await countRequest(tx, accountId, now());
      const event = { id: newId(now()), kind: 'webhook.test', data: {}, accountId } as const;
      const id = await deliverToReceiver({ tx, publicUrl }, event, receiver);
      return getDelivery(tx, accountId, id);
    });
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

export const replayReceiver = onCommand(
  webhookDispatcher.replayReceiver,
  async ({ db, messaging, sender, now }: Deps, { accountId, receiverId, since }) => {
    const reply = await messaging.transaction(db, async (tx) => {
      const receiver = await lockEnabledReceiver(tx, accountId, receiverId);
      const scope = { accountId, receiverId, since: new Date(since) };
      const failed = await findFailedDeliveries(tx, scope, MAX_REPLAYED_DELIVERIES + 1);
      const replayed = failed.slice(0, MAX_REPLAYED_DELIVERIES);
      if (replayed.length > 0) await countRequest(tx, accountId, now(), replayed.length);
      // A millisecond apart, so that they leave in their order.
      for (const [place, old] of replayed.entries())
        await insertDelivery(tx, { ...repeatToReceiver(old, receiver, randomUUID()), afterMs: place });
      return { replayed: replayed.length, is_complete: failed.length === replayed.length };
    });
    sender.wake();
    return reply;
  },
);
