import { defineCodes } from './define-codes.ts';

/** Codes of the classes whose cause lies with the platform or with our own machinery. */
export const upstreamCodes = {
  ...defineCodes('IpBlocked', {
    ip_blocked: 'The video platform blocked this fetch route. Retry with backoff.',
  }),
  ...defineCodes('PoTokenRequired', {
    po_token_required: 'The video platform now requires a token for this track. Nothing was charged.',
  }),
  ...defineCodes('RateLimited', {
    rate_limited: 'The video platform asked for a slower cadence. Retry with backoff.',
    translation_refused:
      'The platform refused the translation for now. Retry later, or allow fallback for the source language.',
  }),
  ...defineCodes('Unavailable', {
    video_unavailable: 'The video is private, deleted or otherwise unavailable.',
  }),
  ...defineCodes('NoCaptions', {
    no_captions: 'The video has no public caption track.',
    language_unavailable:
      'The video has no captions in that language. Choose one of available_languages, or allow fallback.',
  }),
  ...defineCodes('BudgetExhausted', {
    budget_exhausted: 'New fetches pause while the proxy budget refills. Cached reads keep working.',
  }),
  ...defineCodes('RelayUnavailable', { relay_unavailable: 'The transcript relay did not answer. Retry.' }),
  ...defineCodes('NotFound', { source_not_found: 'The platform has nothing at this address.' }),
  ...defineCodes('UpstreamError', {
    upstream_error: 'The video platform answered unexpectedly. Retry with backoff.',
    unexpected_error: {
      status: 500,
      message: 'Something went wrong on our side. Retry.',
    },
    service_unavailable: {
      status: 503,
      message: 'A part of the service is not reachable, or did not answer in time. Retry.',
    },
    books_not_open: {
      status: 503,
      message: 'The books of this time are not open. Nothing was charged. Retry.',
    },
    transcript_not_ready: {
      message: 'The transcript is not ready. Retry in a few seconds.',
      alsoIn: ['Unavailable', 'NoCaptions'],
    },
    request_expired: {
      status: 410,
      retryable: false,
      message:
        'This request is older than a day. Start again with video_id: if it was delivered, it is cached.',
    },
    relay_attempt_cap: 'The platform did not answer after several attempts. Retry later.',
    cache_object_missing:
      'The cached transcript was lost and has to be fetched again. Nothing was charged. Retry after the time given.',
    settled_cache_missing: 'The delivered transcript is being restored. Retry in a few seconds.',
    manifest_file_unavailable: 'The manifest file cannot be read at the moment. Retry.',
    archive_failed: {
      status: 409,
      message: 'The archive could not be built. Retry later.',
      alsoIn: ['RelayUnavailable'],
    },
    archive_object_unavailable: 'The archive cannot be read at the moment. Retry.',
    archive_source_unavailable: 'A file of the archive cannot be read at the moment. Retry.',
    payment_purchase_pending: 'The purchase is still being processed. Retry later.',
    payment_reconcile_page_invalid: 'The payment processor answered unexpectedly.',
    payment_refund_conflict: {
      status: 409,
      retryable: false,
      message: 'Another refund of this purchase exists.',
    },
    payment_refund_debt_conflict: {
      status: 409,
      retryable: false,
      message: 'The refund meets an open debt.',
    },
    payment_refund_invalid: {
      retryable: false,
      message: 'The payment processor has refused this refund for good. The block is yours again.',
    },
    payment_request_failed: 'The payment processor did not answer. Retry.',
    payment_response_invalid: 'The payment processor answered unexpectedly.',
    webhook_dns_failed: 'The webhook host could not be resolved. Retry.',
  }),
};
