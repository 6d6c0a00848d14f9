/** The headers of every delivery, and what they are for. */
export const webhookHeaderTexts = {
  'X-Service-Event': 'The kind of the event, as type in the body',
  'X-Service-Delivery':
    'The id of the delivery, the same at each attempt: what was taken once need not be taken again',
  'X-Service-Timestamp': 'Unix seconds of this attempt: refuse what is older than five minutes',
  'X-Service-Signature':
    'v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body',
  'webhook-id': 'As X-Service-Delivery, for libraries of Standard Webhooks',
  'webhook-timestamp': 'As X-Service-Timestamp, for libraries of Standard Webhooks',
  'webhook-signature': 'As Standard Webhooks has it, of the same secret',
} as const;
