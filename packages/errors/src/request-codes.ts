import { defineCodes, invalidField } from './error-classes.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;

/** Errors of requests on any route, and of transcripts. */
export const requestCodes = defineCodes('InvalidInput', {
  not_found: {
    status: NOT_FOUND,
    message: 'There is nothing at this path. /docs lists what there is, /v1/openapi.json describes it.',
    remedy: 'Compare the path with the list of routes.',
    place: 'docs',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support that method; see the Allow header.',
    remedy: 'Use one of the methods in allow.',
    place: 'docs',
  },
  malformed_request: {
    message: 'The request is not valid HTTP, or its address is not validly encoded.',
    remedy: 'Encode the address as a URL, and let a library write the request.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large: at most 16 KiB.',
    remedy: 'Send fewer or shorter headers and cookies.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    message: 'The request did not arrive in time. Send it again.',
    remedy: 'Retry the whole request.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json in UTF-8.',
    remedy: 'Send Content-Type: application/json and encode the body in UTF-8.',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large for this route.',
    remedy: 'Send the content in several smaller requests.',
  },
  invalid_json: {
    message: 'The request body is not valid JSON.',
    remedy: 'Send one JSON object as the body.',
  },
  key_in_query_string: {
    message:
      'Send API keys only in the Authorization header, never in the URL. Rotate this key: URLs end up in logs.',
    remedy: 'Rotate the key, and send the new one in the Authorization header.',
    place: 'keys',
  },
  unknown_parameter: {
    message: 'A parameter or body field is not known here. Nothing was done.',
    remedy: 'Remove the parameter, or correct its name.',
    place: 'docs',
  },
  unknown_query_mode: {
    message: 'No parameter selects what to do, or one has an unknown value. /v1/openapi.json lists them.',
    remedy: 'Send exactly one of the parameters that select what to do.',
    place: 'docs',
  },
  conflicting_query_modes: {
    message: 'Parameters that exclude each other were given together; send exactly one.',
    remedy: 'Remove all but one of these parameters.',
    place: 'docs',
  },
  invalid_idempotency_key: {
    message: 'Send at most one Idempotency-Key header: 1 to 128 printable ASCII characters, not only spaces.',
    remedy: 'Send a new UUID as the Idempotency-Key.',
  },
  idempotency_key_reused: {
    status: 422,
    message:
      'This Idempotency-Key was sent before with another request. Repeat that request as it was, or send another key.',
    remedy: 'Use a new Idempotency-Key for each operation.',
  },
  invalid_offset: invalidField('offset', 'offset is a whole number from 0 on; each route has a most.'),
  invalid_limit: invalidField('limit', 'limit is a whole number from 1 on, up to what the route allows.'),
  invalid_list_format: invalidField('format', 'format is json or csv.'),
  precondition_failed: {
    status: 412,
    message: 'The file is another one than If-Match names.',
    remedy: 'Download the file from the start, without If-Match.',
  },
  range_not_satisfiable: {
    status: 416,
    message: 'The range begins behind the end of the file.',
    remedy: 'Send a range that begins before the size in bytes.',
  },
  invalid_mcp_message: {
    message: 'The body is one JSON-RPC 2.0 message: jsonrpc, method, and what they need of id and params.',
    remedy: 'Let a library of the Model Context Protocol write the message.',
    place: 'docs',
  },
  batch_tool_calls: {
    message: 'Call one tool at a time.',
    remedy: 'Send each tool call in a request of its own.',
  },

  invalid_video_id: invalidField(
    'the video id',
    'A video id has exactly 11 characters: letters, digits, - and _.',
  ),
  single_video: {
    message: 'This route takes a channel, a playlist or a list; use /v1/transcript for a single video.',
    remedy: 'Send the video to GET /v1/transcript.',
    place: 'docs',
  },
  single_video_required: {
    message: 'This route takes a single video; use /v1/videos for a channel or a playlist.',
    remedy: 'Send the channel or playlist to GET /v1/videos.',
    place: 'docs',
  },
  not_cached: {
    status: NOT_FOUND,
    message: 'HEAD starts no work, and this transcript is not cached. GET fetches it.',
    remedy: 'Send the request with GET.',
  },
  video_not_known: {
    status: NOT_FOUND,
    message: 'Nothing is known of this video yet. Its transcript brings its title, its channel and its day.',
    remedy: 'Get the transcript of the video, and send the request again.',
  },
  invalid_citation_format: invalidField('format', 'format is one of apa, bibtex, ris, csl-json.'),
  invalid_at: invalidField('at', 'at is a whole second of the video, from 0 on.'),
  invalid_request_id: invalidField('request_id', 'request_id is the uuid from an earlier 202 answer.'),
  request_not_found: {
    status: NOT_FOUND,
    message: 'No such request belongs to this account. Start again with video_id.',
    remedy: 'Send video_id instead of request_id.',
  },
  invalid_format: invalidField('format', 'format is one of json, clean, timestamped, both, srt, vtt, md.'),
  invalid_language: invalidField(
    'language',
    'language is a BCP 47 tag that names a language, such as en, pt-BR or zh-Hans, orig, or up to eight of them, as in de,en.',
  ),
  invalid_notify_email: invalidField('notify_email', 'notify_email is true or false.'),
  invalid_fallback: invalidField('fallback', 'fallback is true, false, 1 or 0.'),
  invalid_unpaid: invalidField('unpaid', 'unpaid is true, false, 1 or 0.'),
  invalid_raw: invalidField('raw', 'raw is true, false, 1 or 0.'),
  invalid_passages: invalidField('passages', 'passages is true, false, 1 or 0, and needs the format json.'),
  invalid_passage_characters: invalidField(
    'passage_characters',
    'passage_characters is a whole number from 200 to 8000, and needs passages=true.',
  ),
  invalid_refresh: invalidField('refresh', 'refresh is true, false, 1 or 0, and true only with a video.'),
  invalid_words: invalidField(
    'words',
    'words of a transcript is true, false, 1 or 0, and true only with format=json; of a monitor, up to 20 queries of 1 to 200 characters, each with a word to find and at most 32 words.',
  ),
  invalid_front_matter: invalidField(
    'front_matter',
    'front_matter is true, false, 1 or 0, and true only with the format md.',
  ),

  bulk_input_required: {
    message: 'Send a channel, a playlist or a list key.',
    remedy: 'Add the address of a channel or playlist, or a list key.',
  },
  invalid_contents: invalidField('contents', 'contents is all, videos, shorts or streams.'),
  invalid_text: invalidField('text', 'text is the text to look for videos in, at most 1 MiB.'),
  invalid_search_query: invalidField('q', 'q has 1 to 200 characters and no control characters.'),
  invalid_library_query: invalidField(
    'q',
    'q has 1 to 200 characters, at least one word to find and at most 32 words; "quotes" make a phrase, -word leaves passages with it out.',
  ),
  invalid_search_type: invalidField(
    'type',
    'type is video, channel or playlist; inside a channel it is video.',
  ),
  invalid_channel: invalidField('channel', 'channel is a handle, a channel URL or a UC channel id.'),
  invalid_playlist: invalidField('playlist', 'playlist is a playlist id, or the address of a public playlist.'),
  invalid_continuation: {
    message:
      'continuation is the one of the page before, sent unchanged with the same key of the account, q, type and channel, within a week.',
    remedy: 'Start the search again without continuation.',
  },
  empty_list: {
    message: 'The list has no videos.',
    remedy: 'Send at least one video, or a source that has videos.',
  },
  list_too_large: {
    message: 'A list holds at most 500 unique videos, and a text at most 2,000 different links.',
    remedy: 'Split the text and send each part by itself.',
  },
  selection_expired: {
    status: CONFLICT,
    message:
      'There is no such list, or it was not used for 30 days. List keys come from POST /v1/videos/resolve: resolve the text again.',
    remedy: 'Resolve the text again and use the new list key.',
  },
});
