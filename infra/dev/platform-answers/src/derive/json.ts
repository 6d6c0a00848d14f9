import { leaf, type Replace } from './leaves.ts';

/** Parts that no reader looks into, and that nothing here writes. */
const DROPPED = new Set(
  `
streamingData playbackTracking playerConfig storyboards attestation endscreen overlay annotations
adBreakParams adBreakHeartbeatParams playerSettingsMenuData frameworkUpdates
videoQualityPromoSupportedRenderers playerOverlayLayerRenderers topbar header sidebar menu
clickTrackingParams navigationEndpoint accessibility richThumbnail inlinePlaybackEndpoint
channelThumbnailSupportedRenderers avatar rendererContext itemPlayback offlineability pictureInPicture
miniplayer detailedMetadataSnippets descriptionSnippet proceedButton searchVideoResultEntityKey
thumbnailOverlayNowPlayingRenderer embed onTap expandableMetadata thumbnailOverlayToggleButtonRenderer
commandRuns inlinePlayerData buttonViewModel signInEndpoint menuButton serviceEndpoint loggingDirectives
ownerBadges thumbnailOverlayLoadingPreviewRenderer showSheetCommand styleRuns buttons subscribeButton
subscriptionButton actionButton availableCountries keywords
`
    .trim()
    .split(/\s+/),
);
/** Lists whose places other parts count. */
const WHOLE = new Set([
  'captionTracks',
  'captionTrackIndices',
  'audioTracks',
  'runs',
  'events',
  'segs',
  'tracks',
  'cues',
  'entries',
]);
const KEPT_OF_A_KIND = 3;
const KEPT_LANGUAGES = 20;
export const KEPT_EVENTS = 40;
const most: Readonly<Record<string, number>> = {
  translationLanguages: KEPT_LANGUAGES,
  translation_languages: KEPT_LANGUAGES,
};

const kindOf = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return typeof item;
  const [name = ''] = Object.keys(item);
  const inner = (item as Record<string, unknown>)[name];
  const type =
    typeof inner === 'object' && inner !== null && 'contentType' in inner ? String(inner.contentType) : '';
  return `${name} ${type}`;
};

/** The first of each kind, and the last of all, which may lead to the page after. */
const cut = (items: readonly unknown[], key: string): readonly unknown[] => {
  if (WHOLE.has(key)) return items;
  const limit = most[key] ?? KEPT_OF_A_KIND;
  const seen = new Map<string, number>();
  return items.filter((item, at) => {
    const kind = kindOf(item);
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= limit || at === items.length - 1;
  });
};

/** The same answer with fewer items of each kind, and without unread parts. */
export const pruned = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return cut(value, key).map((item) => pruned(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !DROPPED.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, pruned(inner, name)]));
};

/** The first events of captions. */
export const fewEvents = (captions: { readonly events: readonly unknown[] }, events: number) => ({
  ...captions,
  events: captions.events.slice(0, events),
});

/** Every text of a value replaced by its made-up one. */
export const replacedIn = (value: unknown, replace: Replace, path: readonly string[] = []): unknown => {
  if (typeof value === 'string') return leaf(value, path, replace);
  if (Array.isArray(value)) return value.map((item) => replacedIn(item, replace, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replacedIn(inner, replace, [...path, name])]),
  );
};

/** Every text of a value; for a look at what has survived. */
export const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
};
