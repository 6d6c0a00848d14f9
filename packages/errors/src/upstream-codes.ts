import { defineCodes, transient } from './error-classes.ts';

const soon = 'Retry in a minute.';
const afterTheTimeGiven = 'Retry after the seconds of retry_after.';
const sameKey = 'Retry with the same Idempotency-Key.';

/** Codes of the classes whose cause lies with the platform or with the service itself. */
export const upstreamCodes = {
  ...defineCodes('IpBlocked', {
    ip_blocked: transient('The video platform blocked this fetch route. Retry with backoff.'),
  }),
  ...defineCodes('PoTokenRequired', {
    po_token_required: {
      message: 'The video platform now requires a token for this track. Nothing was charged.',
      remedy: 'Take another language or video; this track needs a change of the service.',
    },
  }),
  ...defineCodes('RateLimited', {
    rate_limited: transient('The video platform asked for a slower cadence. Retry with backoff.'),
    translation_refused: transient(
      'The platform refused the translation for now. Retry later, or allow fallback for the source language.',
      'Retry in a minute, or send fallback=true to get the source language.',
    ),
  }),
  ...defineCodes('Unavailable', {
    video_unavailable: {
      message: 'The video is private, deleted or otherwise unavailable.',
      remedy: 'Check the id of the video, or leave the video out.',
    },
  }),
  ...defineCodes('NoCaptions', {
    no_captions: {
      message: 'The video has no public caption track.',
      remedy: 'Leave the video out; it has nothing to deliver.',
    },
    language_unavailable: {
      message:
        'The video has no captions in that language. Choose one of available_languages, or allow fallback.',
      remedy: 'Send one of available_languages as language, or fallback=true.',
    },
  }),
  ...defineCodes('BudgetExhausted', {
    budget_exhausted: transient(
      'New fetches pause while the proxy budget refills. Cached reads keep working.',
      'Read cached transcripts, or create a job, which waits for the budget by itself.',
    ),
  }),
  ...defineCodes('RelayUnavailable', {
    relay_unavailable: transient('The transcript relay did not answer. Retry.'),
  }),
  ...defineCodes('NotFound', {
    source_not_found: {
      message: 'The platform has nothing at this address.',
      remedy: 'Open the address in a browser, correct it, and send the request again.',
    },
  }),
  ...defineCodes('UpstreamError', {
    upstream_error: transient('The video platform answered unexpectedly. Retry with backoff.'),
    unexpected_error: {
      status: 500,
      message: 'Something went wrong on our side. Retry.',
      remedy: 'Retry; write to support with the request_id if it stays.',
    },
    service_unavailable: {
      status: 503,
      message: 'A part of the service is not reachable, or did not answer in time. Retry.',
      remedy: 'Retry in a minute; the status page says which part is impaired.',
    },
    books_not_open: {
      ...transient('The ledger of this time is not open. Nothing was charged. Retry.'),
      status: 503,
    },
    transcript_not_ready: {
      ...transient('The transcript is not ready. Retry after the seconds of retry_after.', afterTheTimeGiven),
      alsoIn: ['Unavailable', 'NoCaptions'],
    },
    request_expired: {
      ...{ status: 410, retryable: false },
      message:
        'This request is older than a day. Start again with video_id: if it was delivered, it is cached.',
      remedy: 'Send video_id instead of request_id; a delivered transcript is cached.',
    },
    relay_attempt_cap: transient('The platform did not answer after several attempts. Retry later.'),
    cache_object_missing: transient(
      'The cached transcript was lost and has to be fetched again. Nothing was charged. Retry after the time given.',
      afterTheTimeGiven,
    ),
    settled_cache_missing: transient('The delivered transcript is being restored. Retry in a few seconds.'),
    manifest_file_unavailable: transient('The manifest file cannot be read at the moment. Retry.', soon),
    archive_failed: {
      ...transient(
        'The archive could not be built. Retry later.',
        'Send rebuild=1, or retry after retry_after.',
      ),
      ...{ status: 409, alsoIn: ['RelayUnavailable'] },
    },
    archive_object_unavailable: transient('The archive cannot be read at the moment. Retry.', soon),
    archive_source_unavailable: transient('A file of the archive cannot be read at the moment. Retry.', soon),
    payment_purchase_pending: transient(
      'The purchase is still being processed. Retry later.',
      afterTheTimeGiven,
    ),
    payment_reconcile_page_invalid: transient('The payment processor answered unexpectedly.'),
    payment_refund_conflict: {
      ...{ status: 409, retryable: false, place: 'billing' },
      message: 'Another refund of this purchase exists.',
      remedy: 'Read the state of that refund in the list of purchases.',
    },
    payment_refund_debt_conflict: {
      ...{ status: 409, retryable: false, place: 'billing' },
      message: 'The refund meets an open debt.',
      remedy: 'Buy credits that repay the debt, or write to support.',
    },
    payment_refund_invalid: {
      ...{ retryable: false, place: 'billing' },
      message: 'The payment processor has refused this refund for good. The block is yours again.',
      remedy: 'Use the credits, or write to support.',
    },
    payment_request_failed: transient('The payment processor did not answer. Retry.', sameKey),
    payment_response_invalid: transient('The payment processor answered unexpectedly.', sameKey),
    webhook_dns_failed: {
      ...transient('The webhook host could not be resolved. Retry.', 'Check the name of the host, then retry.'),
      place: 'webhooks',
    },
  }),
};
