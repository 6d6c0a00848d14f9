import { defineCodes, transient } from './error-classes.ts';

/** Codes of limits that clear at 00:00 UTC. */
const daily = (message: string, instead = 'Read cached transcripts') =>
  transient(message, `${instead}, or wait until 00:00 UTC.`);
const upgrade = 'Buy credits if the account is on the free tier';

/**
 * Caps and throttles (class QuotaExceeded): every answer carries retry_after. Retryable codes clear by themselves within
 * a minute or so. Those that last for hours, or need a decision, are not retryable.
 */
export const quotaCodes = defineCodes('QuotaExceeded', {
  rate_limit: {
    retryable: true,
    message: 'Too many requests in a minute. Slow down, and retry after the seconds of Retry-After.',
    remedy: 'Wait for the seconds of Retry-After, then send fewer requests a minute.',
  },
  concurrency_cap: {
    retryable: true,
    message: 'Too many new transcripts at once with this key. Retry when one has ended.',
    remedy: 'Wait for a fetch of this key to end, or put the videos into a job.',
  },
  cold_fetch_cap: daily(
    "This key's new transcripts of today are used up. They come back at 00:00 UTC.",
    upgrade,
  ),
  cache_read_cap: daily("This key's cache reads of today are used up. They come back at 00:00 UTC.", upgrade),
  account_age_ramp: daily('New accounts begin 25 new transcripts a day for two days. More at 00:00 UTC.'),
  free_pool_cap: daily(
    "Today's new transcripts and look-ups of all free accounts are used up. They come back at 00:00 UTC.",
    'Buy credits, which do not use this pool',
  ),
  global_cold_cap: daily(
    "Today's new transcripts of the whole service are used up. They come back at 00:00 UTC.",
  ),
  daily_credit_cap: {
    ...daily(
      'The daily credit cap of this key, or of its person, is reached. It clears at 00:00 UTC.',
      'Have an owner raise the cap of the person in People, or raise that of the key in Keys',
    ),
    place: 'people',
  },
  data_api_unit_cap: transient(
    "Today's platform API units are used up. They come back after the seconds of retry_after.",
    'Use known lists and videos, or wait for the seconds of retry_after.',
  ),
  look_up_cap: daily(
    "Today's look-ups of this account do not cover the videos of this text that are not known yet. More at 00:00 UTC.",
    'Send a shorter text',
  ),
  list_cap: daily(
    "Today's new lists of this account are used up. Texts with the videos of a list that is known are answered; more at 00:00 UTC.",
    'Use a list that you have already',
  ),
  webhook_test_cap: daily(
    "Today's test events, resends and new receivers of this account are used up. More at 00:00 UTC.",
    'Use the events of a job',
  ),
  enumeration_cap: daily(
    "Today's new listings of this key are used up. They come back at 00:00 UTC.",
    'List a source that was listed within the hour',
  ),
  job_creation_cap: daily(
    "Today's new jobs of this account are used up. More at 00:00 UTC.",
    'Put more videos into each job',
  ),
  active_job_cap: {
    ...transient(
      'Too many jobs are active. Wait for one to end.',
      'Wait for one of active_job_ids to end, or cancel one.',
    ),
    place: 'jobs',
  },
  archive_cap: transient(
    'The account has begun as many archives today, or keeps as many bytes of them, as its tier allows. Archives that are there go on being answered.',
    'Download an archive that exists, or wait for the seconds of retry_after.',
  ),
  stream_cap: {
    retryable: true,
    message: 'Too many progress streams are open. Close one, or retry after the seconds of Retry-After.',
    remedy: 'Close a progress stream, or wait for the seconds of Retry-After.',
  },
  key_limit: {
    message: 'The account has as many live keys as its tier allows. Revoke one first.',
    remedy: 'Revoke a key that you no longer use.',
    place: 'keys',
  },
  connection_limit: {
    message: 'The account has as many connections as it may have. Disconnect an app first.',
    remedy: 'Disconnect an app that you no longer use.',
  },
  invitation_limit: transient(
    'The account has 50 people and invitations, or has sent 20 invitations in 24 hours, or the address got three in 24 hours.',
    'Remove a person or an invitation, or wait for the seconds of retry_after.',
  ),
  monitor_limit: {
    message: 'The account has as many monitors as its tier allows. Cancel one first.',
    remedy: 'Cancel a monitor that you no longer use.',
  },
  monitor_creation_cap: daily(
    "Today's new monitors of this account, or new Idempotency-Keys of those that it has, are used up. More at 00:00 UTC.",
    upgrade,
  ),
  link_limit: {
    message: 'The account has 100 live links. Take one back first.',
    remedy: 'Take back a link that is no longer needed.',
  },
  link_creation_cap: daily(
    "Today's 50 new links of this account are used up. More at 00:00 UTC.",
    'Hand on a link that exists',
  ),
  code_locked: transient(
    'Five wrong codes were sent. Ask for a new code after the seconds of retry_after; a browser that has signed in to this address before has tries of its own.',
    'Use a browser that has signed in before, or wait for the seconds of retry_after.',
  ),
  signup_rate_limited: transient(
    'Too many codes were asked for. Ask again after the seconds of retry_after; a browser that has signed in to this address before has a count of its own.',
    'Use the last code that arrived, or wait for the seconds of retry_after.',
  ),
  verify_rate_limited: transient(
    'Too many codes were tried. Try again after the seconds of retry_after.',
    'Wait for the seconds of retry_after, then send the code of the last mail.',
  ),
  new_account_purchase_limit: {
    message: 'A new account makes one purchase until 100 credits have been used.',
    remedy: 'Use 100 credits first, or write to support.',
    place: 'billing',
  },
  refund_limit: {
    ...transient(
      'Three blocks were given back within 30 days by the accounts of this mailbox. The next one after the seconds of retry_after, or by support.',
      'Write to support, or wait for the seconds of retry_after.',
    ),
    place: 'billing',
  },
  purchase_in_progress: {
    ...transient(
      'A checkout is open already: finish it at checkout_url, or wait until it expires.',
      'Pay or leave the page at checkout_url, or wait until it expires.',
    ),
    ...{ status: 409, place: 'billing' },
  },
  channel_resolution_cap: daily(
    "Today's channel names of this account are used up. Send channel ids (UC...), or come back at 00:00 UTC.",
    'Send the id of the channel (UC...) instead of its name',
  ),
  video_languages_cap: daily(
    "Today's look-ups of languages of this account are used up. They come back at 00:00 UTC.",
    'Ask for a transcript with language=orig or a list of languages',
  ),
  search_in_progress: {
    retryable: true,
    message: 'The same search is in progress. Retry in a second.',
    remedy: 'Wait a second, then send the same search again.',
  },
  search_attempt_cap: daily(
    "This key's search pages or attempts of today are used up. They come back at 00:00 UTC.",
    upgrade,
  ),
});
