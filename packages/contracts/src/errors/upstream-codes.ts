import { defineCodes } from './define-codes.ts';

/** Codes of the classes whose cause lies with the platform or with the service itself. */
export const upstreamCodes = {
  ...defineCodes('IpBlocked', {
    ip_blocked: {
      message: 'The video platform blocked this fetch route. Retry with backoff.',
      remedy: 'Retry with backoff; cached transcripts are not affected.',
    },
  }),
  ...defineCodes('PoTokenRequired', {
    po_token_required: {
      message: 'The video platform now requires a token for this track. Nothing was charged.',
      remedy: 'Take another language or video; this track needs a change of the service.',
    },
  }),
  ...defineCodes('RateLimited', {
    rate_limited: {
      message: 'The video platform asked for a slower cadence. Retry with backoff.',
      remedy: 'Retry with backoff.',
    },
    translation_refused: {
      message:
        'The platform refused the translation for now. Retry later, or allow fallback for the source language.',
      remedy: 'Retry in a minute, or send fallback=true to get the source language.',
    },
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
    budget_exhausted: {
      message: 'New fetches pause while the proxy budget refills. Cached reads keep working.',
      remedy: 'Read cached transcripts, or create a job, which waits for the budget by itself.',
      place: 'jobs',
      waitingHelps: true,
    },
  }),
  ...defineCodes('RelayUnavailable', {
    relay_unavailable: {
      message: 'The transcript relay did not answer. Retry.',
      remedy: 'Retry with backoff.',
    },
  }),
  ...defineCodes('NotFound', {
    source_not_found: {
      message: 'The platform has nothing at this address.',
      remedy: 'Open the address in a browser, correct it, and send the request again.',
    },
  }),
  ...defineCodes('UpstreamError', {
    upstream_error: {
      message: 'The video platform answered unexpectedly. Retry with backoff.',
      remedy: 'Retry with backoff.',
    },
    unexpected_error: {
      status: 500,
      message: 'Something went wrong on our side. Retry.',
      remedy: 'Retry; write to support with the request_id if it stays.',
    },
    service_unavailable: {
      status: 503,
      message: 'A part of the service is not reachable, or did not answer in time. Retry.',
      remedy: 'Retry with backoff; the status page says which part is impaired.',
    },
    books_not_open: {
      status: 503,
      message: 'The books of this time are not open. Nothing was charged. Retry.',
      remedy: 'Retry with backoff.',
    },
    transcript_not_ready: {
      message: 'The transcript is not ready. Retry in a few seconds.',
      remedy: 'Retry after the seconds of retry_after.',
      alsoIn: ['Unavailable', 'NoCaptions'],
    },
    request_expired: {
      status: 410,
      retryable: false,
      message:
        'This request is older than a day. Start again with video_id: if it was delivered, it is cached.',
      remedy: 'Send video_id instead of request_id; a delivered transcript is cached.',
    },
    relay_attempt_cap: {
      message: 'The platform did not answer after several attempts. Retry later.',
      remedy: 'Retry in a few minutes.',
    },
    cache_object_missing: {
      message:
        'The cached transcript was lost and has to be fetched again. Nothing was charged. Retry after the time given.',
      remedy: 'Retry after the seconds of retry_after.',
    },
    settled_cache_missing: {
      message: 'The delivered transcript is being restored. Retry in a few seconds.',
      remedy: 'Retry in a few seconds.',
    },
    manifest_file_unavailable: {
      message: 'The manifest file cannot be read at the moment. Retry.',
      remedy: 'Retry in a minute.',
      place: 'jobs',
    },
    archive_failed: {
      status: 409,
      message: 'The archive could not be built. Retry later.',
      remedy: 'Retry after the seconds of retry_after, or send rebuild=1.',
      place: 'jobs',
      alsoIn: ['RelayUnavailable'],
    },
    archive_object_unavailable: {
      message: 'The archive cannot be read at the moment. Retry.',
      remedy: 'Retry in a minute.',
      place: 'jobs',
    },
    archive_source_unavailable: {
      message: 'A file of the archive cannot be read at the moment. Retry.',
      remedy: 'Retry in a minute.',
      place: 'jobs',
    },
    payment_purchase_pending: {
      message: 'The purchase is still being processed. Retry later.',
      remedy: 'Retry after the seconds of retry_after.',
      place: 'billing',
    },
    payment_reconcile_page_invalid: {
      message: 'The payment processor answered unexpectedly.',
      remedy: 'Retry with backoff.',
    },
    payment_refund_conflict: {
      status: 409,
      retryable: false,
      message: 'Another refund of this purchase exists.',
      remedy: 'Read the state of that refund in the list of purchases.',
      place: 'billing',
    },
    payment_refund_debt_conflict: {
      status: 409,
      retryable: false,
      message: 'The refund meets an open debt.',
      remedy: 'Buy credits that repay the debt, or write to support.',
      place: 'billing',
    },
    payment_refund_invalid: {
      retryable: false,
      message: 'The payment processor has refused this refund for good. The block is yours again.',
      remedy: 'Use the credits, or write to support.',
      place: 'billing',
    },
    payment_request_failed: {
      message: 'The payment processor did not answer. Retry.',
      remedy: 'Retry with the same Idempotency-Key.',
      place: 'billing',
    },
    payment_response_invalid: {
      message: 'The payment processor answered unexpectedly.',
      remedy: 'Retry with the same Idempotency-Key.',
      place: 'billing',
    },
    webhook_dns_failed: {
      message: 'The webhook host could not be resolved. Retry.',
      remedy: 'Check the name of the host, then retry.',
      place: 'webhooks',
    },
  }),
};
