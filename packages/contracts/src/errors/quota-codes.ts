import { defineCodes } from './define-codes.ts';

const upgrade = 'or buy credits if the account is on the free tier';

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
    message: 'Too many cold fetches at once with this key. Retry when one has ended.',
    remedy: 'Wait for a fetch of this key to end, or put the videos into a job.',
    place: 'jobs',
  },
  cold_fetch_cap: {
    message: "This key's cold fetches of today are used up. They come back at 00:00 UTC.",
    remedy: `Wait until 00:00 UTC, ${upgrade}.`,
    place: 'billing',
    waitingHelps: true,
  },
  cache_read_cap: {
    message: "This key's cache reads of today are used up. They come back at 00:00 UTC.",
    remedy: `Wait until 00:00 UTC, ${upgrade}.`,
    place: 'billing',
    waitingHelps: true,
  },
  account_age_ramp: {
    message: 'New accounts fetch 25 cold transcripts a day for two days. More at 00:00 UTC.',
    remedy: 'Read cached transcripts, or wait until 00:00 UTC.',
    waitingHelps: true,
  },
  free_pool_cap: {
    message: "Today's shared pool of free cold fetches is used up. It refills at 00:00 UTC.",
    remedy: 'Wait until 00:00 UTC, or buy credits, which do not use this pool.',
    place: 'billing',
    waitingHelps: true,
  },
  global_cold_cap: {
    message: "Today's cold fetches of the whole service are used up. They come back at 00:00 UTC.",
    remedy: 'Read cached transcripts, or wait until 00:00 UTC.',
    waitingHelps: true,
  },
  daily_credit_cap: {
    message: "This key's own daily credit cap is reached. It clears at 00:00 UTC.",
    remedy: 'Raise the daily credit cap of this key, or wait until 00:00 UTC.',
    place: 'keys',
    waitingHelps: true,
  },
  data_api_unit_cap: {
    message: "Today's platform API units are used up. They come back after the seconds of retry_after.",
    remedy: 'Use lists and videos that are known already, or wait for the seconds of retry_after.',
    waitingHelps: true,
  },
  look_up_cap: {
    message:
      "Today's look-ups of this account do not cover the videos of this text that are not known yet. More at 00:00 UTC.",
    remedy: `Send a shorter text, wait until 00:00 UTC, ${upgrade}.`,
    place: 'billing',
    waitingHelps: true,
  },
  list_cap: {
    message:
      "Today's new lists of this account are used up. Texts with the videos of a list that is known are answered; more at 00:00 UTC.",
    remedy: 'Use a list that you have already, or wait until 00:00 UTC.',
    waitingHelps: true,
  },
  webhook_test_cap: {
    message: "Today's test events and resends of this account are used up. More at 00:00 UTC.",
    remedy: 'Wait until 00:00 UTC; events of jobs are still sent.',
    place: 'webhooks',
    waitingHelps: true,
  },
  enumeration_cap: {
    message: "Today's cold listings of this key are used up. They come back at 00:00 UTC.",
    remedy: 'List a source that was listed within the hour, or wait until 00:00 UTC.',
    waitingHelps: true,
  },
  job_creation_cap: {
    message: "Today's new jobs of this account are used up. More at 00:00 UTC.",
    remedy: 'Put more videos into each job, or wait until 00:00 UTC.',
    place: 'jobs',
    waitingHelps: true,
  },
  active_job_cap: {
    message: 'Too many jobs are active. Wait for one to end.',
    remedy: 'Wait for one of active_job_ids to end, or cancel one.',
    place: 'jobs',
    waitingHelps: true,
  },
  archive_cap: {
    message:
      'The account has begun as many archives today, or keeps as many bytes of them, as its tier allows. Archives that are there go on being answered.',
    remedy: 'Download an archive that exists, or wait for the seconds of retry_after.',
    place: 'jobs',
    waitingHelps: true,
  },
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
  monitor_limit: {
    message: 'The account has as many monitors as its tier allows. Cancel one first.',
    remedy: `Cancel a monitor that you no longer use, ${upgrade}.`,
  },
  monitor_creation_cap: {
    message:
      "Today's new monitors of this account, or new Idempotency-Keys of those that it has, are used up. More at 00:00 UTC.",
    remedy: `Wait until 00:00 UTC, ${upgrade}.`,
    place: 'billing',
    waitingHelps: true,
  },
  code_locked: {
    message:
      'Five wrong codes were sent. Ask for a new code after the seconds of retry_after; a browser that has signed in to this address before has tries of its own.',
    remedy:
      'Use a browser that has signed in before, or wait for the seconds of retry_after and request a new code.',
    waitingHelps: true,
  },
  signup_rate_limited: {
    message:
      'Too many codes were asked for. Ask again after the seconds of retry_after; a browser that has signed in to this address before has a count of its own.',
    remedy: 'Use the last code that arrived, or wait for the seconds of retry_after.',
    waitingHelps: true,
  },
  verify_rate_limited: {
    message: 'Too many codes were tried. Try again after the seconds of retry_after.',
    remedy: 'Wait for the seconds of retry_after, then send the code of the last mail.',
    waitingHelps: true,
  },
  new_account_purchase_limit: {
    message: 'A new account makes one purchase until 100 credits have been used.',
    remedy: 'Use 100 credits first, or write to support.',
    place: 'billing',
  },
  purchase_in_progress: {
    status: 409,
    message: 'A checkout is open already: finish it at checkout_url, or wait until it expires.',
    remedy: 'Pay or leave the page at checkout_url, or wait until it expires.',
    place: 'billing',
    waitingHelps: true,
  },
  channel_resolution_cap: {
    message:
      "Today's channel names of this account are used up. Send channel ids (UC...), or come back at 00:00 UTC.",
    remedy: 'Send the id of the channel (UC...) instead of its name, or wait until 00:00 UTC.',
    waitingHelps: true,
  },
  search_in_progress: {
    retryable: true,
    message: 'The same search is in progress. Retry in a second.',
    remedy: 'Wait a second, then send the same search again.',
  },
  search_attempt_cap: {
    message: "This key's search pages or attempts of today are used up. They come back at 00:00 UTC.",
    remedy: `Wait until 00:00 UTC, ${upgrade}.`,
    place: 'billing',
    waitingHelps: true,
  },
});
