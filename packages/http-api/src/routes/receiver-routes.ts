import {
  delivery,
  MAX_WEBHOOK_URL_LENGTH,
  receiver,
  receiverEvents,
  receiverForm,
  receiverName,
  webhookDispatcher,
} from '@tds/contracts';
import { z } from 'zod';
import { pathId } from '../common-fields.ts';
import { defineRoutes, field, okAnswer, okBody } from '../define-route.ts';

const receiverBody = okBody('ReceiverResponse', { receiver });
const configuredBody = okBody('ReceiverConfigured', {
  receiver,
  receiver_secret: z
    .string()
    .optional()
    .describe('whsec_...; present only if a secret was issued, at creation and at each rotation. Shown once'),
});
const params = { receiverId: pathId('receiver', 'receiver_not_found') };
const ofReceiver = { access: 'key-or-session', params } as const;

const url = z.string().min(1).max(MAX_WEBHOOK_URL_LENGTH);
const urlText =
  'Public https without credentials, port 443 or 8443; of a chat service the address that it has made';
const eventsText = 'The kinds of events that it receives, each once';
const namedOnly = field(
  z.boolean().optional(),
  'invalid_named_only',
  'true: only events of jobs and monitors that name it in receivers; false at first',
);
const nameText = 'By which people know it';

/** Further receivers of an account's events, beside its webhook. */
export const receiverRoutes = defineRoutes('Webhooks', {
  listReceivers: {
    method: 'GET',
    path: '/v1/receivers',
    calls: [webhookDispatcher.listReceivers],
    access: 'key-or-session',
    summary: 'List the receivers of the account, the oldest first',
    responses: { 200: okAnswer('The receivers', 'ReceiverList', { receivers: z.array(receiver) }) },
  },

  createReceiver: {
    method: 'POST',
    path: '/v1/receivers',
    calls: [webhookDispatcher.createReceiver],
    access: 'key-or-session',
    summary: 'Create a receiver: a further server, or a channel of Slack, Discord or Teams',
    description:
      'Beside the webhook of the account, which it does not change, each receiver gets the events that it has chosen. A job or a monitor that names receivers sends its events to these alone. signed sends the body and the headers of a webhook, with a secret of its own. slack, discord and teams send a message for people to the address that the chat service has made: its title leads to the video or the page, the words are bold, each sentence has its second, and a job says what it cost; pings nobody. Such an address is a secret, so answers have its host and its last four characters only. Retries, deliveries and the end after failures are those of the webhook; the account is mailed. A limit of a chat service is waited out and is no attempt, and an address that it has ended (gone) ends the receiver at once. credits.low comes when the credits fall below low_balance_threshold of PATCH /v1/account/mail. An account has ten receivers (receiver_limit). Costs 0 credits.',
    body: {
      name: field(receiverName, 'invalid_receiver_name', nameText),
      form: field(receiverForm, 'invalid_receiver_form', 'How events are sent; it never changes'),
      url: field(url, 'webhook_url_invalid', urlText),
      events: field(receiverEvents, 'invalid_receiver_events', eventsText),
      named_only: namedOnly,
    },
    responses: { 201: { description: 'The receiver', schema: configuredBody } },
  },

  getReceiver: {
    method: 'GET',
    path: '/v1/receivers/{receiverId}',
    calls: [webhookDispatcher.getReceiver],
    ...ofReceiver,
    summary: 'Get a receiver, without its secret',
    responses: { 200: { description: 'The receiver', schema: receiverBody } },
  },

  changeReceiver: {
    method: 'PATCH',
    path: '/v1/receivers/{receiverId}',
    calls: [webhookDispatcher.changeReceiver],
    ...ofReceiver,
    summary: 'Change a receiver, and enable it',
    description:
      'What is not sent stays. Deliveries in progress keep their address and their secret. A receiver of a chat service has no signing secret: receiver_without_secret.',
    body: {
      name: field(receiverName.optional(), 'invalid_receiver_name', nameText),
      url: field(url.optional(), 'webhook_url_invalid', urlText),
      events: field(receiverEvents.optional(), 'invalid_receiver_events', eventsText),
      named_only: namedOnly,
      rotate_secret: field(z.boolean().optional(), 'invalid_rotate_secret', 'true issues a new secret'),
    },
    responses: { 200: { description: 'The receiver', schema: configuredBody } },
    emptyBodyCode: 'empty_receiver_update',
  },

  deleteReceiver: {
    method: 'DELETE',
    path: '/v1/receivers/{receiverId}',
    calls: [webhookDispatcher.deleteReceiver],
    ...ofReceiver,
    summary: 'Delete a receiver and its secret',
    description: 'Nothing more is sent to it: deliveries that wait for it fail.',
    responses: { 200: okAnswer('Deleted', 'ReceiverDeleted', { deleted: z.literal(true) }) },
  },

  testReceiver: {
    method: 'POST',
    path: '/v1/receivers/{receiverId}/test',
    calls: [webhookDispatcher.testReceiver],
    outcomeAt: '/v1/webhooks/deliveries',
    ...ofReceiver,
    startsWork: true,
    summary: 'Send a webhook.test event to a receiver',
    responses: {
      202: { description: 'The delivery of the event', schema: okBody('DeliveryResponse', { delivery }) },
    },
  },

  replayReceiver: {
    method: 'POST',
    path: '/v1/receivers/{receiverId}/replay',
    calls: [webhookDispatcher.replayReceiver],
    outcomeAt: '/v1/webhooks/deliveries',
    ...ofReceiver,
    startsWork: true,
    summary: 'Send again what a receiver has not taken since a time',
    description:
      'Deliveries that have failed since then and were not sent again, each once, in their order, at most 100: with is_complete false there are more. A repeat finds none, until they fail again. They count as resends, of which an account has 200 a day with its test events and new receivers.',
    body: {
      since: field(z.iso.datetime(), 'invalid_replay_since', 'From when on; deliveries are kept for 30 days'),
    },
    responses: {
      202: okAnswer(
        'How many are sent again',
        'ReceiverReplayed',
        webhookDispatcher.replayReceiver.reply.shape,
      ),
    },
  },
});
