import { defineCodes } from './error-classes.ts';

const sendKey = 'Create an API key and send it in the Authorization header.';

/** Errors of credentials and credits. */
export const accessCodes = {
  ...defineCodes(
    'Forbidden',
    {
      missing_api_key: { message: 'Send an API key: Authorization: Bearer svc_live_...', remedy: sendKey },
      invalid_api_key: {
        message: 'This API key is malformed, unknown or revoked.',
        remedy: 'Check that the whole key was sent, or create another one.',
      },
      key_is_ending: {
        message:
          'This key is revoked within 24 hours: it reads and delivers, and changes nothing. Use its successor or a session.',
        remedy: 'Send the key that replaces this one.',
      },
      cap_needs_session: {
        message: 'A key never raises or removes a daily credit cap. Use a session for it.',
        remedy: 'Sign in to the dashboard and change the cap there.',
      },
      begun_by_another_key: {
        message:
          'A key with a daily credit cap, or an app, changes and ends only what it has begun. Another key or the account has begun this.',
        remedy: 'Use a session, or a key without a daily credit cap.',
      },
      mail_of_another: {
        message: 'Only who made this monitor changes its mail: another person made it.',
        remedy: 'Choose your own mails of it with PUT /v1/monitors/{id}/mail, in a session.',
      },
      uncapped_key_required: {
        message:
          'A key with a daily credit cap, its own or that of its person, neither moves money back nor opens the portal of the payment processor.',
        remedy: 'Use a session, or a key without a daily credit cap.',
      },
      origin_not_accepted: {
        message: 'This route takes no requests from the pages of other sites.',
        remedy: 'Send the request from a program instead of a page, without Origin.',
      },
      insufficient_scope: {
        message: 'This connected app may not do that: the holder of the account has not allowed it.',
        remedy: 'Connect the app again and allow what it needs, or use an API key.',
      },
      invalid_access_token: {
        status: 401,
        message: 'The access token has expired, or its connection has ended.',
        remedy: 'Refresh the token, or connect the app again.',
      },
      authorization_required: {
        status: 401,
        message: 'Connect this app to an account, or send an API key: Authorization: Bearer svc_live_...',
        remedy: 'Follow WWW-Authenticate to connect the app, or send an API key in the Authorization header.',
      },
      cookie_not_accepted: { message: 'This route takes an API key, not a session cookie.', remedy: sendKey },
    },
    'keys',
  ),
  ...defineCodes('Forbidden', {
    session_required: {
      status: 401,
      message: 'The session is missing or has ended. Sign in again.',
      remedy: 'Sign in and send the request again.',
    },
    sign_in_required: {
      message:
        'An invitation opens its account alone. Sign in with a code of this address first; then accept the invitation, or go on in its other accounts.',
      remedy: 'Sign in with the address that was invited, then try again.',
    },
    dashboard_header_required: {
      message: 'Requests with a session cookie that change something need X-Service-Dashboard: 1.',
      remedy: 'Add the header X-Service-Dashboard: 1, or send an API key.',
    },
    role_required: {
      message: 'Your role in this account does not allow this.',
      remedy: 'Ask an owner of the account.',
    },
    account_closed: {
      message: 'This account is closed.',
      remedy: 'Sign up with another email address.',
    },
  }),
  ...defineCodes('TurnstileFailed', {
    turnstile_failed: { message: 'The bot check failed.', remedy: sendKey, place: 'keys' },
  }),
  ...defineCodes('InsufficientCredits', {
    insufficient_credits: {
      message:
        'The balance does not cover this. Buy credits on the page at buy_url, or with POST /v1/checkout.',
      remedy: 'Buy a block of credits that covers the shortfall.',
      place: 'billing',
    },
  }),
  ...defineCodes('AccountFrozen', {
    account_frozen: {
      message:
        'The account is frozen: it reads, and neither spends nor starts anything. GET /v1/account says why; to lift it, write to support_email.',
      remedy: 'Write to support, which can lift the freeze.',
    },
  }),
  ...defineCodes('ConfigurationError', {
    configuration_error: {
      message: 'The service is not configured for this at the moment.',
      remedy: 'Write to support with the request_id.',
    },
    search_settlement_failed: {
      message: 'The charge of the page could not be saved. It costs nothing.',
      remedy: 'Write to support with the request_id; the page costs nothing.',
    },
  }),
};
