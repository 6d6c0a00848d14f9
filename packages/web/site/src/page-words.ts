import { type ErrorCode, errorCodeDefinition } from '@tds/errors';

/** What pages say about a code: `what` in place of the message of the answer, `remedy` behind it. */
type PageWords = {
  readonly what?: string;
  readonly remedy?: string;
  /** The usual message of a code without words of its own, for pages that have no answer to take it from. */
  readonly message?: string;
};

/** Codes whose message and remedy are for programs, in words for people. */
const pageTexts: Partial<Record<ErrorCode, string>> = {
  account_changed:
    'This browser has gone to another account meanwhile. Reload the page: it says which account the app gets.',
  account_not_found: 'You are in this account no more. Reload the page.',
  account_frozen:
    'The account is frozen: you can look at everything, and start nothing. Write to support, which can lift it.',
  active_job_cap: 'As many jobs are active as your tier allows. Wait until one ends, or cancel one.',
  archive_cap:
    'As many ZIPs were made today as your tier allows. Download one that exists, or come back tomorrow.',
  archive_failed: 'The ZIP could not be made. Try again later.',
  archive_source_changed: 'The job has changed meanwhile. Download it again.',
  body_too_large: 'This is too large for one request.',
  books_not_open: 'The ledger of this time is not open. Nothing was charged; try again later.',
  bulk_input_required: 'Enter the address of a channel or a playlist.',
  cache_object_missing: 'A transcript was lost and is fetched again, for no credits. Try again in a minute.',
  channel_resolution_cap:
    'Too many new channel names were looked up today. Enter the id of the channel (UC…), or come back after 00:00 UTC.',
  code_locked:
    'Five wrong codes were entered, so this address has to wait. A browser that has signed in before need not.',
  connection_limit: 'As many apps are connected as an account may have. Disconnect one first.',
  connection_not_found: 'This app is not connected any more.',
  connection_request_not_found:
    'This request of an app has ended, or was made in another browser. Go back to the app and begin again.',
  concurrency_cap: 'Too many new transcripts are fetched at once. Try again when one is there.',
  configuration_error: 'The service is not set up for this at the moment. Write to support with the id below.',
  confirmation_required: 'To close the account for ever, type its email address.',
  data_api_unit_cap:
    "Today's look-ups of new videos are used up. Known ones go on working; come back tomorrow.",
  delivery_not_found: 'There is no such delivery. It may be older than 30 days.',
  empty_list: 'No video was found in this text. Enter links, ids, or the address of a channel or a playlist.',
  idempotency_key_reused: 'This was sent before, with something else in it. Reload the page and begin again.',
  insufficient_credits: 'You do not have enough credits for this.',
  invalid_account_name: 'A name has 1 to 60 characters on one line, with a letter or a digit.',
  invalid_channel: 'Enter a handle, the address of a channel, or its id (UC…).',
  invalid_credit_block: 'Choose one of the blocks.',
  invalid_daily_credit_cap: 'A daily cap is a whole number from 1 to 1,000,000; leave it empty for none.',
  invalid_email: 'This is not a valid email address.',
  invalid_job_id: 'There is no such job. It may have been deleted.',
  invalid_job_name: 'The name of a job has 1 to 120 characters.',
  invalid_key_name: 'The name of a key has 1 to 64 characters, on one line.',
  invalid_language:
    'Enter the tag of a language, such as en, pt-BR or zh-Hans, or orig for the language that is spoken.',
  invalid_library_query:
    'Enter at least one word to find, and at most 32. "Quotes" make a phrase, and -word leaves passages out.',
  invalid_monthly_limit: 'Enter the most money of a month: the price of the block, or more.',
  invalid_monitor_id: 'There is no such monitor.',
  invalid_newest: 'Enter how many videos the job takes: a whole number from 1 to 500.',
  invalid_playlist: 'Enter the address of a public playlist, or its id.',
  invalid_receivers: 'Choose up to ten receivers.',
  invalid_receiver_events: 'Choose at least one event.',
  invalid_receiver_name: 'A name has 1 to 60 characters, a letter or a digit among them.',
  invalid_refill_threshold:
    'Enter a whole number of credits, from 1 to those of the block: one block then lifts the balance above it.',
  invalid_text: 'This text is too long: at most 1 MiB.',
  invalid_time_zone: 'The service does not know this time zone. Choose a place with the same time.',
  invalid_video_id: 'Enter the address of a video, or its id: 11 letters, digits, - and _.',
  invalid_webhook_url: 'This is not a valid https address.',
  invalid_words:
    'Enter up to 20 lines, each with at least one word to find, and at most 32. "Quotes" make a phrase, and -word leaves passages out.',
  ip_blocked: 'The video platform refuses our requests at the moment. Retry later.',
  invalid_max_words: 'A part has 1,000 to 1,000,000 words.',
  invitation_limit:
    'As many invitations as an account may send, or as one address may receive, were sent today, or 50 people are in it. Try again tomorrow.',
  invitations_stopped: 'The person at this address wants no invitations.',
  last_owner: 'An account keeps one owner. Make somebody else an owner first.',
  job_creation_cap: 'Your new jobs of today are used up. More after 00:00 UTC.',
  job_not_found: 'There is no such job. It may have been deleted.',
  job_size_cap: 'This job has more videos than your tier allows. Take fewer.',
  key_not_found: 'There is no such key in your account.',
  language_unavailable: 'The video has no captions in that language. Choose another one, or allow fallback.',
  list_too_large: 'This text has more than 500 videos. Split it into several jobs.',
  look_up_cap: 'This text has more unknown videos than you can look up today. Take a shorter one.',
  mail_of_another: 'Another person made this monitor. Choose your own mails under Your mails.',
  missing_api_key: 'You are signed out. Sign in again.',
  monitor_creation_cap: 'Your new monitors of today are used up. More after 00:00 UTC.',
  monitor_not_found: 'There is no such monitor in your account.',
  monitor_source_required: 'Enter a channel or a playlist.',
  no_captions: 'The video has no captions.',
  payment_purchase_pending: 'The purchase is still being processed. Try again in a minute.',
  payment_request_failed: 'The payment processor did not answer. Nothing was paid; try again.',
  payment_response_invalid: 'The payment processor answered something unexpected. Try again.',
  purchase_in_progress:
    'A page for payment is open already. Finish or leave it, or wait until it closes by itself.',
  purchase_not_found: 'There is no such purchase in your account.',
  rate_limit: 'Too many requests in a minute.',
  rate_limited: 'The video platform asks for a slower pace. Retry later.',
  receiver_disabled: 'This receiver is disabled. Change it first.',
  receiver_limit: 'There are ten receivers, the most. Remove one first.',
  refill_not_found: 'Save what is bought by itself first, then set up the card.',
  refund_limit: 'Three blocks were given back within 30 days, which is the most. Wait, or write to support.',
  refund_reason_too_long: 'The reason has at most 500 characters.',
  relay_attempt_cap: 'The video platform did not answer. Retry later.',
  relay_unavailable: 'The video platform could not be reached. Retry later.',
  request_not_logged:
    'There is no such request in the log. It has what was charged or failed in the last seven days; new ones appear after a second or two.',
  request_timeout: 'The request took too long to arrive. Try again.',
  selection_expired: 'This list is not kept any more. Look for the videos again.',
  service_unavailable:
    'The service, or a part of it, cannot be reached. What you entered is still here. Try again in a minute.',
  session_required: 'You are signed out. Sign in again.',
  settled_cache_missing: 'A transcript is being restored. Try again in a few seconds.',
  sign_in_required:
    'An invitation opens its account alone. This address has another one: sign in with it first, then open the link again.',
  signup_rate_limited:
    'Too many codes were sent to this address or from this network. Use the last one that arrived.',
  single_video: 'This is one video. Enter a channel or a playlist here.',
  single_video_required: 'This is a channel or a playlist. Enter one video here.',
  source_not_found: 'The video platform has nothing at this address. Open it in a browser, and correct it.',
  stream_cap: 'This page is open too often. Close other tabs.',
  terms_required: 'Accept the terms to sign in.',
  transcript_not_ready:
    'There is no transcript yet: new videos and broadcasts receive their captions later. Try again then.',
  translation_refused: 'The platform refused the translation for now. Retry later, or allow fallback.',
  unexpected_error:
    'Something went wrong on our side. Try again; if it stays, write to support with the id below.',
  upstream_error: 'The video platform answered something unexpected. Retry later.',
  verify_rate_limited: 'Too many codes were tried.',
  webhook_not_configured: 'Set the webhook of the account first.',
  webhook_threshold_invalid: 'Low balance is a whole number of 1 or more; leave it empty for none.',
  webhook_url_invalid:
    'Enter a public https address without a user name, of at most 2,048 characters, at port 443 or 8443.',
  words_need_auto_fetch:
    'Words are looked for in the transcripts of new videos: let these be fetched, for 1 credit each, or enter no words.',
};

/** Words of requests, which mean nothing to a person with a browser. */
export const wordsOfRequests =
  /\b(?:GET|POST|PUT|DELETE|HEAD)\b|\w_\w|\bretry-after|idempotency-key|authorization|if-match|\b(?:header|route|body|parameter|uuid|backoff|json)s?\b|\bsend the request/i;

const OF_PROGRAMS =
  'The page sent something that the service does not take. Reload it; if this stays, write to support with the id below.';

/** Without `what` the message of the answer stays: it may know more than the table. */
export const pageWords = (code: ErrorCode): PageWords => {
  const what = pageTexts[code];
  if (what !== undefined) return { what };
  const { message, remedy } = errorCodeDefinition(code);
  // A message that begins with the name of a field is for programs, too.
  const isOfRequests = /^[a-z]/.test(message) || wordsOfRequests.test(`${message} ${remedy}`);
  return isOfRequests ? { what: OF_PROGRAMS, message } : { message, remedy };
};
