import { defineCodes, invalidField } from './define-codes.ts';

const NOT_FOUND = 404;

/** Mistakes at sign-in, with keys, with the account and with reports of its usage. */
export const accountCodes = defineCodes('InvalidInput', {
  invalid_email: invalidField('email', 'Send one valid email address.'),
  disposable_email: {
    message: 'Disposable email addresses cannot sign up; use one that you keep.',
    remedy: 'Sign up with a lasting email address.',
  },
  invalid_code: {
    message: 'The code is not right. Codes have six digits.',
    remedy: 'Copy the six digits of the newest mail.',
  },
  code_not_found: {
    message: 'No code is waiting for this address. Ask for a new one.',
    remedy: 'Request a new code.',
  },
  code_expired: {
    message: 'This code is older than ten minutes. Ask for a new one.',
    remedy: 'Request a new code and send it within ten minutes.',
  },
  code_used: { message: 'This code was used already. Ask for a new one.', remedy: 'Request a new code.' },
  terms_required: {
    message: 'Accept the terms: send accept_terms as true.',
    remedy: 'Read the terms and send accept_terms as true.',
    place: 'docs',
  },
  session_not_found: {
    status: NOT_FOUND,
    message: 'No such session of this account is live.',
    remedy: 'List the sessions; this one has ended.',
  },

  key_not_found: {
    status: NOT_FOUND,
    message: 'No such key belongs to this account.',
    remedy: 'List the keys and send the id of one of them.',
    place: 'keys',
  },
  key_revoked: {
    message: 'This key is revoked already, or about to be.',
    remedy: 'Create another key.',
    place: 'keys',
  },
  invalid_key_name: invalidField('name', 'A key name has 1 to 64 characters and no control characters.'),
  invalid_daily_credit_cap: invalidField(
    'daily_credit_cap',
    'daily_credit_cap is an integer from 1 to 1000000, or null for none.',
  ),
  empty_key_update: {
    message: 'Send a name, a daily_credit_cap, or both.',
    remedy: 'Add the field that shall change.',
    place: 'keys',
  },
  invalid_grace_period: invalidField('grace_period_hours', 'grace_period_hours is 0 or 24.'),
  replay_not_possible: {
    status: 409,
    message:
      'This Idempotency-Key has made a key whose secret can be shown no more. Rotate or revoke that key, with another Idempotency-Key.',
    remedy: 'Rotate that key with a new Idempotency-Key to get a secret.',
    place: 'keys',
  },
  confirmation_required: {
    message: 'Closing is for ever: send confirm with the email address of the account.',
    remedy: 'Send confirm with the email address of the account.',
  },

  invalid_usage_date: invalidField(
    'from or to',
    'from and to are days of the calendar, of the form YYYY-MM-DD.',
  ),
  invalid_usage_range: invalidField('from', 'from must not be after to.'),
  usage_range_too_large: {
    message: 'Ask for at most 366 days at a time.',
    remedy: 'Read the range in parts of at most 366 days.',
  },
  invalid_usage_format: invalidField('format', 'format is json or csv.'),
  invalid_ledger_format: invalidField('format', 'The ledger is served as json only.'),
  invalid_ledger_limit: invalidField('limit', 'limit is an integer from 1 to 200.'),
  invalid_ledger_offset: invalidField('offset', 'offset is an integer of 0 or more.'),
});
