import { z } from 'zod';
import { bounds } from '../config/bounds.ts';
import { bag, list, text } from './tolerant.ts';

const errorScreen = bag.transform((screens) => {
  const messages = Object.values(screens)
    .slice(0, bounds.runs)
    .map((screen) => errorMessage.parse(screen));
  return {
    captcha: Object.hasOwn(screens, 'playerCaptchaViewModel'),
    reasons: messages.flatMap((message) => message.reason ?? []),
    subreasons: messages.flatMap((message) => message.subreason ?? []),
  };
});
const errorMessage = z.object({ reason: text, subreason: text }).catch({ reason: null, subreason: null });

/** `playabilityStatus.liveStreamability` of a broadcast that has not begun: Unix seconds as a text (public readers of it). */
const offlineSlate = z
  .object({
    liveStreamabilityRenderer: z.object({
      offlineSlate: z.object({
        liveStreamOfflineSlateRenderer: z.object({ scheduledStartTime: z.string().regex(/^\d{1,11}$/) }),
      }),
    }),
  })
  .transform(({ liveStreamabilityRenderer: { offlineSlate: slate } }) =>
    Number(slate.liveStreamOfflineSlateRenderer.scheduledStartTime),
  )
  .nullish()
  .catch(null);

const wire = z.object({
  liveStreamability: offlineSlate,
  status: z.string().min(1).max(bounds.mark),
  reason: text,
  messages: list(bounds.runs),
  errorScreen,
});

export type Playability = {
  readonly status: string;
  readonly reason: string | null;
  readonly subreason: string | null;
  readonly captcha: boolean;
  /** When a broadcast is to begin; null if that is not said. */
  readonly startsAt: Date | null;
  /** Reason, subreason and messages in one line, with plain apostrophes. */
  readonly words: string;
};

/** Null if there is no `playabilityStatus` with a status. */
export const readPlayability = (raw: unknown): Playability | null => {
  const result = wire.safeParse(raw);
  if (!result.success) return null;
  const { status, errorScreen: screen, liveStreamability: startSeconds = null } = result.data;
  const messages = result.data.messages.flatMap((message) => text.parse(message) ?? []);
  const reason = result.data.reason ?? screen.reasons[0] ?? null;
  const subreason = screen.subreasons[0] ?? null;
  const words = [reason, ...screen.reasons, ...screen.subreasons, ...messages].filter(
    (part) => part !== null,
  );
  return {
    status,
    reason,
    subreason,
    captcha: screen.captcha,
    startsAt: startSeconds === null ? null : new Date(startSeconds * 1_000),
    words: words.join(' ').replaceAll('\u2019', "'"),
  };
};
