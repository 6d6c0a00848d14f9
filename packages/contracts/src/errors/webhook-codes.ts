import { deliveryStatus, webhookKind } from '../webhook-dispatcher/statuses.ts';
import { defineCodes, invalidField } from './define-codes.ts';

/** Mistakes with webhooks and their deliveries. */
export const webhookCodes = defineCodes('InvalidInput', {
  invalid_webhook_url: invalidField('webhook_url', 'The webhook address is not a valid https URL.'),
  webhook_url_invalid: invalidField(
    'url',
    'The webhook address is a public https URL of at most 2,048 characters, at port 443 or 8443, without credentials.',
  ),
  webhook_url_private: {
    message: 'The webhook address leads to a private network.',
    remedy: 'Use an address that the public internet reaches, such as that of a tunnel.',
    place: 'webhooks',
  },
  webhook_dns_empty: {
    message: 'The webhook host has no address.',
    remedy: 'Add an address record to the host, or use another host.',
    place: 'webhooks',
  },
  webhook_not_configured: {
    message: 'Configure the account webhook first: PUT /v1/webhooks.',
    remedy: 'Configure the webhook of the account first.',
    place: 'webhooks',
  },
  webhook_threshold_invalid: invalidField(
    'low_balance_threshold',
    'low_balance_threshold is an integer of 1 or more, or null for none.',
  ),
  invalid_rotate_secret: invalidField('rotate_secret', 'rotate_secret is true or false.'),
  invalid_webhook_event: invalidField('event', `event is one of ${webhookKind.options.join(', ')}.`),
  invalid_delivery_status: invalidField('status', `status is one of ${deliveryStatus.options.join(', ')}.`),
  delivery_not_found: {
    status: 404,
    message: 'No such delivery belongs to this account.',
    remedy: 'List the deliveries of the last 30 days and send the id of one of them.',
    place: 'webhooks',
  },
});
