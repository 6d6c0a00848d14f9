import type { Answer, Body, Delivery, Receiver } from '../api.ts';
import type { Connection, RequestOptions } from '../connection.ts';

const path = '/v1/receivers';
const at = (id: string) => `${path}/${encodeURIComponent(id)}`;

export const receivers = (connection: Connection) => ({
  /** The oldest first. */
  list: async (options: RequestOptions = {}): Promise<Receiver[]> =>
    (await connection.json<Answer<'listReceivers'>>({ ...options, path })).receivers,

  get: async (id: string, options: RequestOptions = {}): Promise<Receiver> =>
    (await connection.json<Answer<'getReceiver'>>({ ...options, path: at(id) })).receiver,

  /** Creates a further server or a channel of a chat. `receiver_secret` is present only with the form `signed`, and shown once. */
  create: (
    body: Body<'createReceiver'>,
    options: RequestOptions = {},
  ): Promise<Answer<'createReceiver', 201>> => connection.json({ ...options, method: 'POST', path, body }),

  /** Changes what is given, and enables the receiver. */
  update: (
    id: string,
    body: Body<'changeReceiver'>,
    options: RequestOptions = {},
  ): Promise<Answer<'changeReceiver'>> => connection.json({ ...options, method: 'PATCH', path: at(id), body }),

  /** Nothing more is sent to it. */
  delete: async (id: string, options: RequestOptions = {}): Promise<void> => {
    await connection.json({ ...options, method: 'DELETE', path: at(id) });
  },

  /** Sends a webhook.test event to it. */
  test: async (id: string, options: RequestOptions = {}): Promise<Delivery> =>
    (
      await connection.json<Answer<'testReceiver', 202>>({
        ...options,
        method: 'POST',
        path: `${at(id)}/test`,
      })
    ).delivery,

  /** Sends again what has failed since then, each once. Replay again until `is_complete`. */
  replay: (
    id: string,
    since: Date | string,
    options: RequestOptions = {},
  ): Promise<Answer<'replayReceiver', 202>> =>
    connection.json({
      ...options,
      method: 'POST',
      path: `${at(id)}/replay`,
      body: { since: new Date(since).toISOString() },
    }),
});
