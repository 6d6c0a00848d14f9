import { defineCodes, invalidField, unknownId } from './error-classes.ts';

const CONFLICT = 409;
const newCode = 'Request a new code.';

const accountFields = defineCodes('InvalidInput', {
  invalid_email: invalidField('email', 'Send one valid email address.'),
  disposable_email: {
    message: 'Disposable email addresses cannot sign up; use one that you keep.',
    remedy: 'Sign up with a lasting email address.',
  },
  invalid_code: {
    message: 'The code is not right.',
    remedy: 'Copy the code of the newest mail.',
  },
  code_not_found: { message: 'No code is waiting for this address. Ask for a new one.', remedy: newCode },
  code_expired: { message: 'This code is older than ten minutes. Ask for a new one.', remedy: newCode },
  code_used: { message: 'This code was used already. Ask for a new one.', remedy: newCode },
  terms_required: {
    message: 'Accept the terms: send accept_terms as true.',
    remedy: 'Read the terms and send accept_terms as true.',
    place: 'docs',
  },
  session_not_found: {
    status: 404,
    message: 'No such session of this account is live.',
    remedy: 'List the sessions; this one has ended.',
  },
  confirmation_required: {
    message: 'Closing is for ever: send confirm with the email address of the account.',
    remedy: 'Send confirm with the email address of the account.',
  },
  invalid_time_zone: invalidField(
    'time_zone',
    'time_zone is the name of an IANA time zone, such as Europe/Berlin.',
  ),
  invalid_digest_hour: invalidField('digest_hour', 'digest_hour is a whole number from 0 to 23.'),
  invalid_digest_day: invalidField('digest_day', 'digest_day is 1, Monday, to 7, Sunday.'),
  invalid_account_name: invalidField(
    'name',
    'name has 1 to 60 characters, a letter or a digit among them, no line breaks and no marks of direction; null takes it away.',
  ),
  invalid_event_mails: invalidField('event_mails', 'event_mails is true or false.'),
  invalid_mail_token: {
    message: 'This link is not one of our mails, or a part of it is missing.',
    remedy: 'Copy the whole link from the mail, or end these mails in the settings of the dashboard.',
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
  invalid_via: invalidField('via', 'via is key, dashboard or app.'),
  invalid_usage_format: invalidField('format', 'format is json or csv.'),
  invalid_ledger_format: invalidField('format', 'The ledger is served as json only.'),
  invalid_ledger_limit: invalidField('limit', 'limit is an integer from 1 to 200.'),
  invalid_ledger_offset: invalidField('offset', 'offset is an integer of 0 or more.'),
  request_not_logged: {
    status: 404,
    message:
      'The log has no such request of this account. It has what was charged or failed in the last seven days, after a second or two.',
    remedy: 'Check the id: it is X-Request-Id of the answer, and request_id of an error.',
  },
  invalid_error_code: invalidField('code', 'code is one of the error codes that the service answers.'),
  invalid_failed: invalidField('failed', 'failed is true or false.'),
});

const keyFields = defineCodes(
  'InvalidInput',
  {
    key_not_found: unknownId('key'),
    person_not_found: unknownId('person'),
    key_revoked: { message: 'This key is revoked already, or about to be.', remedy: 'Create another key.' },
    invalid_key_name: invalidField('name', 'A key name has 1 to 64 characters and no control characters.'),
    invalid_daily_credit_cap: invalidField(
      'daily_credit_cap',
      'daily_credit_cap is an integer from 1 to 1000000, or null for none.',
    ),
    empty_key_update: {
      message: 'Send a name, a daily_credit_cap, or both.',
      remedy: 'Add the field that shall change.',
    },
    invalid_grace_period: invalidField('grace_period_hours', 'grace_period_hours is 0 or 24.'),
    replay_not_possible: {
      status: CONFLICT,
      message:
        'This Idempotency-Key has made a key whose secret can be shown no more. Rotate or revoke that key, with another Idempotency-Key.',
      remedy: 'Rotate that key with a new Idempotency-Key to get a secret.',
    },
  },
  'keys',
);

const connectionFields = defineCodes('InvalidInput', {
  connection_not_found: unknownId('connection'),
  connection_request_not_found: {
    status: 404,
    message: 'This request of an app has ended, or was made in another browser.',
    remedy: 'Begin again in the app.',
  },
  account_changed: {
    status: CONFLICT,
    message: 'The session is in another account than the one that was shown.',
    remedy: 'Show the request again: GET /v1/account names the account.',
  },
  invalid_connection_answer: invalidField('allow', 'allow is true or false.'),
  invalid_scopes: invalidField('scopes', 'scopes lists what the app may do: read, fetch, jobs, monitors.'),
  cap_required: {
    message: 'An app that may spend credits needs a daily_credit_cap.',
    remedy: 'Send a daily_credit_cap of at least 1, or allow read alone.',
  },
});

const peopleFields = defineCodes('InvalidInput', {
  person_not_found: unknownId('person'),
  account_not_found: {
    status: 404,
    message: 'Your address is in no such account.',
    remedy: 'Read GET /v1/account: accounts has those of your address.',
  },
  invalid_role: invalidField('role', 'role is owner, member or billing.'),
  invalid_work: invalidField('work', 'work is end or pass_on; removing a person needs it.'),
  empty_person_update: {
    message: 'Send a role, a daily_credit_cap, or both.',
    remedy: 'Add the field that shall change.',
  },
  last_owner: {
    status: CONFLICT,
    message: 'An account keeps one owner: make somebody else an owner first.',
    remedy: 'Make another person an owner, then send the request again.',
  },
  invitations_stopped: {
    status: CONFLICT,
    message: 'The person at this address wants no invitations.',
    remedy: 'Ask the person to write to support, which can allow them again.',
  },
  already_in_account: {
    status: CONFLICT,
    message: 'This address is in the account already.',
    remedy: 'Change the role of the person instead.',
  },
});

/** The payment processor sends these, so its dashboard shows the cause. */
const paymentEvent = (message: string) => ({
  message,
  remedy: 'Compare the event with the purchase in the dashboard of the payment processor.',
});

const purchaseFields = defineCodes(
  'InvalidInput',
  {
    invalid_credit_block: invalidField('block', 'block is one of 5, 20, 50, 200, 1000.'),
    invalid_refill_threshold: invalidField(
      'threshold',
      'threshold is a whole number from 1 to the credits of the block, so that one block lifts the balance above it.',
    ),
    invalid_monthly_limit: invalidField(
      'monthly_limit',
      'monthly_limit is a whole number in the smallest unit of the currency: the price of the block or more.',
    ),
    refill_not_found: {
      status: 404,
      message: 'The account has no refill that a card could be for: PUT /v1/refill.',
      remedy: 'Set threshold, block and limit of the refill first.',
    },
    invalid_purchase_id: invalidField('purchase_id', 'purchase_id is a uuid.'),
    purchase_not_found: unknownId('purchase'),
    purchase_withdrawn: {
      status: CONFLICT,
      message: 'The money of this purchase was given back, or a bank holds it: there are no credits to accept.',
      remedy: 'Buy another block of credits.',
    },
    refund_block_used: {
      status: CONFLICT,
      message: 'Only an untouched block can be refunded.',
      remedy: 'Request the refund of a block that is refundable in the list of purchases.',
    },
    refund_reason_too_long: invalidField('reason', 'The reason has at most 500 characters.'),
    payment_account_unknown: paymentEvent('The payment event names no known account.'),
    payment_body_invalid_utf8: paymentEvent('The payment event is not valid UTF-8.'),
    payment_body_too_large: { status: 413, ...paymentEvent('The payment event is too large.') },
    payment_content_length_invalid: paymentEvent('The payment event needs a valid Content-Length.'),
    payment_customer_mismatch: paymentEvent('The payment event names another customer.'),
    payment_dispute_mismatch: paymentEvent('The dispute does not fit the purchase.'),
    payment_event_invalid: paymentEvent('The payment event or its signature is not valid.'),
    payment_product_mismatch: paymentEvent('The payment event names another product.'),
    payment_refund_mismatch: paymentEvent('The refund does not fit the purchase.'),
    payment_session_mismatch: paymentEvent('The payment event names another session.'),
  },
  'billing',
);

/** Errors of sign-in, keys, connections, usage and purchases. */
export const accountCodes = {
  ...accountFields,
  ...keyFields,
  ...connectionFields,
  ...peopleFields,
  ...purchaseFields,
};
