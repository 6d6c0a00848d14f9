import { defineCodes } from './define-codes.ts';

/** Who may do this, and whether they can pay for it. */
export const accessCodes = {
  ...defineCodes('Forbidden', {
    missing_api_key: 'Send an API key: Authorization: Bearer svc_live_...',
    invalid_api_key: 'This API key is malformed, unknown or revoked.',
    key_is_ending:
      'This key is revoked within 24 hours: it reads and delivers, and changes nothing. Use its successor or a session.',
    cap_needs_session: 'A key never raises or removes a daily credit cap. Use a session for it.',
    session_required: { status: 401, message: 'The session is missing or has ended. Sign in again.' },
    dashboard_header_required:
      'Requests with a session cookie that change something need X-Service-Dashboard: 1.',
    cookie_not_accepted: 'This route takes an API key, not a session cookie.',
    account_closed: 'This account is closed.',
  }),
  ...defineCodes('TurnstileFailed', { turnstile_failed: 'The bot check failed.' }),
  ...defineCodes('InsufficientCredits', {
    insufficient_credits:
      'The balance does not cover this. Buy credits: POST a block to buy_url, and pay on the page that it answers.',
  }),
  ...defineCodes('AccountFrozen', {
    account_frozen:
      'The account is frozen: it reads, and neither spends nor starts anything. GET /v1/account says why; to lift it, write to support_email.',
  }),
  ...defineCodes('ConfigurationError', {
    configuration_error: 'The service is not configured for this at the moment.',
    search_settlement_failed: 'The page could not be settled. It costs nothing.',
  }),
};
