import type { Attempt } from '../classification/attempt-result.ts';
import { RefusedAnswer, refusal } from '../classification/refusal.ts';
import { verdicts } from '../classification/verdict.ts';
import { platformError } from '../errors/platform-error.ts';
import { captionPath, needsToken } from '../timedtext/caption-url.ts';
import type { CaptionReader } from '../timedtext/read-captions.ts';
import type { Call, TrackChoice, VideoInspection } from '../types.ts';
import { attempt } from './attempt.ts';
import { cancelled, withinCall } from './call-bounds.ts';
import {
  addFailure,
  type Candidate,
  captionCandidates,
  type Failures,
  noFailures,
  type WantedTrack,
  worstFailure,
} from './caption-candidates.ts';
import { type Engine, type Plan, planRoutes } from './engine.ts';
import type { Source } from './evidence.ts';
import { Inspection } from './inspection.ts';
import { tokenFor } from './token.ts';
import { withWait } from './what-to-wait-for.ts';

const tokenGate = refusal('token_gate', verdicts.tokenNeeded);

/** Downloads one track through its own route; a gated address without a token is not even asked. */
const download = <Value>(
  engine: Engine,
  { route, track }: Candidate,
  wanted: WantedTrack,
  read: CaptionReader<Value>,
) =>
  route.timedtext.run(wanted, async (turn): Promise<Attempt<Value>> => {
    const isGated = needsToken(track.path);
    const value = isGated ? await tokenFor(engine, route, wanted.videoId, turn.signal) : null;
    if (isGated && value === null) return { kind: 'refused', refusal: tokenGate };
    const { translateTo } = wanted.choice;
    const token = value === null ? null : { value, client: route.strategy.client };
    return attempt(engine, {
      route,
      endpoint: 'timedtext',
      videoId: wanted.videoId,
      request: {
        method: 'GET',
        path: captionPath(track.path, { translateTo, token }),
        headers: { 'accept-language': 'en', ...route.strategy.headers },
        capBytes: engine.limits.timedtextBytes,
      },
      isTranslation: translateTo !== null,
      ...turn,
      async read(body) {
        const reading = await read(body, turn.signal);
        if (reading.kind === 'refused') throw new RefusedAnswer(reading.refusal);
        return reading;
      },
    });
  });

const refusalIn = (result: Attempt<unknown>) => (result.kind === 'refused' ? result.refusal : null);

/** Null if no address gave captions; `failures` then says why. */
async function downloadAny<Value>(
  engine: Engine,
  plan: Plan,
  known: readonly Source[],
  wanted: WantedTrack,
  read: CaptionReader<Value>,
  failures: Failures,
): Promise<{ readonly value: Value } | null> {
  let asked = 0;
  for await (const candidate of captionCandidates(engine, plan, known, wanted, failures)) {
    const result = await download(engine, candidate, wanted, read);
    if (result?.kind === 'ok') return result;
    const isOpen = result === null;
    const told = isOpen ? candidate.route.timedtext.lastFailure() : refusalIn(result);
    if (told !== null) addFailure(failures, candidate.route, told, isOpen);
    asked += 1;
    // Another address of the same track cannot help against a refused translation.
    const isFinal = told?.verdict.code === 'translation_refused';
    if (isFinal || wanted.signal.aborted || asked >= engine.limits.attemptsPerCall) break;
  }
  return null;
}

/**
 * Downloads the chosen track: by the inspection's own addresses first, then by those of other strategies and egresses.
 * Throws PlatformError; nothing it throws is a fact about the video.
 */
export async function fetchTrack<Value>(
  engine: Engine,
  inspection: VideoInspection,
  choice: TrackChoice,
  call: Call,
  read: CaptionReader<Value>,
): Promise<Value> {
  const known = Inspection.sourcesOf(inspection);
  if (known === null) throw platformError('upstream_error', { cause: 'not an inspection of this process' });
  const wanted = { videoId: inspection.video.id, callerId: call.callerId ?? null, choice };
  const failures = noFailures();
  const { plan, result } = await withinCall(call, engine.limits.callMs, async (signal) => {
    const plan = await planRoutes(engine, wanted.callerId);
    return { plan, result: await downloadAny(engine, plan, known, { ...wanted, signal }, read, failures) };
  });
  if (result !== null) return result.value;
  const error =
    cancelled(call) ??
    worstFailure(failures) ??
    platformError('upstream_error', { cause: 'no address of this track could be had' });
  throw withWait(engine, plan, ({ timedtext }) => timedtext, error);
}
