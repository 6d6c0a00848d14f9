import { defineCodes } from './define-codes.ts';

/**
 * Caps and throttles (class QuotaExceeded): every answer carries retry_after. Retryable is what clears by itself within
 * a minute or so; what takes a person, or lasts for hours, is not.
 */
export const quotaCodes = defineCodes('QuotaExceeded', {
  rate_limit: {
    retryable: true,
    message: 'Too many requests in a minute. Slow down, and retry after the seconds of Retry-After.',
  },
  concurrency_cap: {
    retryable: true,
    message: 'Too many cold fetches at once with this key. Retry when one has ended.',
  },
  cold_fetch_cap: "This key's cold fetches of today are used up. They come back at 00:00 UTC.",
  cache_read_cap: "This key's cache reads of today are used up. They come back at 00:00 UTC.",
  account_age_ramp: 'New accounts fetch 25 cold transcripts a day for two days. More at 00:00 UTC.',
  free_pool_cap: "Today's shared pool of free cold fetches is used up. It refills at 00:00 UTC.",
  global_cold_cap: "Today's cold fetches of the whole service are used up. They come back at 00:00 UTC.",
  daily_credit_cap: "This key's own daily credit cap is reached. It clears at 00:00 UTC.",
  data_api_unit_cap:
    "Today's platform API units are used up. They come back after the seconds of retry_after.",
  look_up_cap:
    "Today's look-ups of this account do not cover the videos of this text that are not known yet. More at 00:00 UTC.",
  list_cap:
    "Today's new lists of this account are used up. Texts with the videos of a list that is known are answered; more at 00:00 UTC.",
  webhook_test_cap: "Today's test events and resends of this account are used up. More at 00:00 UTC.",
  enumeration_cap: "Today's cold listings of this key are used up. They come back at 00:00 UTC.",
  job_creation_cap: "Today's new jobs of this account are used up. More at 00:00 UTC.",
  active_job_cap: 'Too many jobs are active. Wait for one to end.',
  archive_cap:
    'The account has begun as many archives today, or keeps as many bytes of them, as its tier allows. Archives that are there go on being answered.',
  stream_cap: {
    retryable: true,
    message: 'Too many progress streams are open. Close one, or retry after the seconds of Retry-After.',
  },
  key_limit: 'The account has as many live keys as its tier allows. Revoke one first.',
  monitor_limit: 'The account has as many monitors as its tier allows. Cancel one first.',
  monitor_creation_cap:
    "Today's new monitors of this account, or new Idempotency-Keys of those that it has, are used up. More at 00:00 UTC.",
  code_locked:
    'Five wrong codes were sent. Ask for a new code after the seconds of retry_after; a browser that has signed in to this address before has tries of its own.',
  signup_rate_limited:
    'Too many codes were asked for. Ask again after the seconds of retry_after; a browser that has signed in to this address before has a count of its own.',
  verify_rate_limited: 'Too many codes were tried. Try again after the seconds of retry_after.',
  new_account_purchase_limit: 'A new account makes one purchase until 100 credits have been used.',
  purchase_in_progress: {
    status: 409,
    message: 'A checkout is open already: finish it at checkout_url, or wait until it expires.',
  },
  channel_resolution_cap:
    "Today's channel names of this account are used up. Send channel ids (UC...), or come back at 00:00 UTC.",
  search_in_progress: { retryable: true, message: 'The same search is in progress. Retry in a second.' },
  search_attempt_cap:
    "This key's search pages or attempts of today are used up. They come back at 00:00 UTC.",
});
