import { createWebhookSecret, type RequestOf, webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { sealedSecret, type TestDispatcher } from './start-dispatcher.ts';

type NewReceiver = RequestOf<typeof webhookDispatcher.createReceiver>;

/** What gateways ask of receivers, with addresses and secrets that they seal. */
export const receiverCalls = ({ call }: Pick<TestDispatcher, 'call'>) => {
  const seal = (accountId: string, text: string) => sealedSecret(accountId, text).sealedSecret;
  return {
    create: async (accountId: string, url: string, fields: Partial<NewReceiver> = {}) => {
      const secret = createWebhookSecret();
      const { receiver } = await call(
        webhookDispatcher.createReceiver,
        {
          ...{ accountId, keyId: null, name: 'Newsroom', form: 'signed', events: ['job.completed'] },
          ...{ sealedUrl: seal(accountId, url), sealedSecret: seal(accountId, secret), ...fields },
        },
        testContext(),
      );
      return { ...receiver, secret };
    },
    change: async (
      accountId: string,
      receiverId: string,
      {
        url,
        ...fields
      }: {
        url?: string;
        name?: string;
        namedOnly?: boolean;
        rotateSecret?: boolean;
        sealedSecret?: string;
      },
    ) =>
      call(
        webhookDispatcher.changeReceiver,
        {
          ...{ accountId, receiverId, keyId: null, rotateSecret: false },
          sealedSecret: seal(accountId, createWebhookSecret()),
          ...(url !== undefined && { sealedUrl: seal(accountId, url) }),
          ...fields,
        },
        testContext(),
      ),
    list: async (accountId: string) =>
      (await call(webhookDispatcher.listReceivers, { accountId }, testContext())).receivers,
    get: async (accountId: string, receiverId: string) =>
      (await call(webhookDispatcher.getReceiver, { accountId, receiverId }, testContext())).receiver,
    remove: (accountId: string, receiverId: string) =>
      call(webhookDispatcher.deleteReceiver, { accountId, receiverId, keyId: null }, testContext()),
    test: (accountId: string, receiverId: string) =>
      call(webhookDispatcher.testReceiver, { accountId, receiverId }, testContext()),
    replay: (accountId: string, receiverId: string, since: Date) =>
      call(
        webhookDispatcher.replayReceiver,
        { accountId, receiverId, since: since.toISOString() },
        testContext(),
      ),
  };
};
