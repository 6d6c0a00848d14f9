import { defineCodes, invalidField, unknownId } from './error-classes.ts';

const CONFLICT = 409;

/** Errors of webhooks, receivers and deliveries. */
export const webhookCodes = defineCodes(
  'InvalidInput',
  {
    invalid_webhook_url: invalidField('webhook_url', 'The webhook address is not a valid https URL.'),
    webhook_url_invalid: invalidField(
      'url',
      'The webhook address is a public https URL of at most 2,048 characters, at port 443 or 8443, without credentials.',
    ),
    webhook_url_private: {
      message: 'The webhook address leads to a private network.',
      remedy: 'Use an address that the public internet reaches, such as that of a tunnel.',
    },
    webhook_dns_empty: {
      message: 'The webhook host has no address.',
      remedy: 'Add an address record to the host, or use another host.',
    },
    webhook_not_configured: {
      message: 'Configure the account webhook first: PUT /v1/webhooks.',
      remedy: 'Configure the webhook of the account first.',
    },
    webhook_threshold_invalid: invalidField(
      'low_balance_threshold',
      'low_balance_threshold is an integer of 1 or more, or null for none.',
    ),
    invalid_rotate_secret: invalidField('rotate_secret', 'rotate_secret is true or false.'),
    invalid_webhook_event: invalidField(
      'event',
      'event is one of job.completed, job.failed, job.paused, job.resumed, credits.low, channel.new_videos, monitor.words_found, webhook.test.',
    ),
    invalid_delivery_status: invalidField('status', 'status is one of pending, delivered, failed.'),
    delivery_not_found: unknownId('delivery'),
    receiver_not_found: unknownId('receiver'),
    receiver_limit: {
      status: CONFLICT,
      message: 'The account has ten receivers. Delete one first.',
      remedy: 'Delete a receiver that is no longer needed, or change it.',
    },
    receiver_disabled: {
      status: CONFLICT,
      message: 'This receiver is disabled, and nothing is sent to it.',
      remedy: 'Repair the receiver, then change it, by PATCH or in the dashboard, which enables it.',
    },
    receiver_without_secret: {
      status: CONFLICT,
      message: 'A receiver of a chat service has no signing secret: its address is its secret.',
      remedy: 'Make a new address in the chat service, and change url to it.',
    },
    invalid_receiver_name: invalidField(
      'name',
      'name has 1 to 60 characters, a letter or a digit among them, no line breaks and no marks of direction.',
    ),
    invalid_receiver_form: invalidField('form', 'form is one of signed, slack, discord, teams.'),
    invalid_named_only: invalidField('named_only', 'named_only is true or false.'),
    invalid_receivers: invalidField('receivers', 'receivers is a list of up to ten ids of receivers.'),
    invalid_receiver_events: invalidField(
      'events',
      'events is a list of one to seven of job.completed, job.failed, job.paused, job.resumed, credits.low, channel.new_videos, monitor.words_found, each once.',
    ),
    invalid_receiver_id: invalidField('receiver_id', 'receiver_id is the id of a receiver.'),
    empty_receiver_update: {
      message: 'Send at least one of name, url, events and rotate_secret.',
      remedy: 'Send what is to change.',
    },
    invalid_replay_since: invalidField(
      'since',
      'since is a time of ISO 8601 in UTC, such as 2026-01-15T12:00:00Z.',
    ),
  },
  'webhooks',
);
