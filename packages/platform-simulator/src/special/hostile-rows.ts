import { expecting, type Outcome, type SpecialRow, type StandingFault, transcript } from './special-video.ts';

const broken = (
  id: string,
  behaviour: string,
  faults: readonly StandingFault[],
  outcome: Outcome = 'UpstreamError',
): SpecialRow => ({ id, behaviour, expect: expecting(outcome), faults });

const SHORT_WAIT_MS = 3000;
const LONG_WAIT_MS = 30_000;

/** Answers that a reader must survive: wrong, damaged, endless, late or elsewhere. */
export const hostileRows: readonly SpecialRow[] = [
  broken(
    'emptyText01',
    'captions: 200 with an empty body, without exp',
    [{ fault: 'empty' }],
    'PoTokenRequired',
  ),
  broken('garbageTxt1', 'captions: 200 with bytes that are no format at all', [{ fault: 'garbage' }]),
  broken('htmlAnswer1', 'HTML where JSON should be', [{ fault: 'html' }]),
  broken('oddStatus01', 'a playability status that nobody knows', [{ fault: 'unknown_status' }]),
  broken('wrongVideo1', 'the answer is about another video', [{ fault: 'wrong_video' }]),
  broken('noPlayabil1', 'JSON without playabilityStatus', [{ fault: 'no_playability_status' }]),
  broken('truncJson01', 'JSON that stops half-way', [
    { fault: 'truncated_json', endpoint: 'player' },
    { fault: 'truncated_json', endpoint: 'watch' },
  ]),
  broken('truncJson02', 'captions that stop half-way', [{ fault: 'truncated_json', endpoint: 'timedtext' }]),
  broken('hangs_00001', 'accepts the request and never answers', [{ fault: 'hang' }]),
  broken('hangsText01', 'accepts the caption request and never answers', [
    { fault: 'hang', endpoint: 'timedtext' },
  ]),
  broken('slowDrip_01', 'one byte every quarter of a second', [{ fault: 'slow_drip' }]),
  {
    id: 'slow3sec_01',
    behaviour: 'the player answers after 3 seconds',
    expect: transcript(),
    faults: [{ fault: 'slow', endpoint: 'player', latencyMs: SHORT_WAIT_MS }],
  },
  {
    id: 'slow30sec01',
    behaviour: 'the player answers after 30 seconds, the watch page and the captions after 3 each',
    expect: transcript('if the reader is ready to wait that long'),
    faults: [
      { fault: 'slow', endpoint: 'player', latencyMs: LONG_WAIT_MS },
      { fault: 'slow', endpoint: 'watch', latencyMs: SHORT_WAIT_MS },
      { fault: 'slow', endpoint: 'timedtext', latencyMs: SHORT_WAIT_MS },
    ],
  },
  broken('endless10GB', 'an answer of 10 GB', [{ fault: 'endless_body' }]),
  broken('endlessText', 'captions of 10 GB', [{ fault: 'endless_body', endpoint: 'timedtext' }]),
  broken('truncGzip01', 'gzip that stops half-way', [{ fault: 'truncated_gzip' }]),
  broken('redirPriv01', 'a redirect to http://127.0.0.1:1/private', [{ fault: 'redirect_private' }]),
  broken('redirMeta01', 'a redirect to the metadata address 169.254.169.254', [
    { fault: 'redirect_metadata' },
  ]),
  broken('resets_0001', 'the connection is reset', [{ fault: 'reset' }]),
  broken('error500_01', 'status 500 with a JSON error', [{ fault: 'server_error' }]),
];
