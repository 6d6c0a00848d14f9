import { broken, RefusedAnswer } from '../classification/index.ts';
import { bounds } from '../config/limits.ts';
import { each, inside, listInside } from '../reading/index.ts';
import type { Page } from './types.ts';
import { asToken } from './web-pages.ts';

/** The field with the contents of each renderer that holds others. */
const holders: Readonly<Record<string, string>> = {
  twoColumnBrowseResultsRenderer: 'tabs',
  twoColumnSearchResultsRenderer: 'primaryContents',
  tabRenderer: 'content',
  expandableTabRenderer: 'content',
  sectionListRenderer: 'contents',
  sectionListContinuation: 'contents',
  itemSectionRenderer: 'contents',
  itemSectionContinuation: 'contents',
  playlistVideoListRenderer: 'contents',
  playlistVideoListContinuation: 'contents',
  richGridRenderer: 'contents',
  richGridContinuation: 'contents',
  richItemRenderer: 'content',
  gridRenderer: 'items',
  gridContinuation: 'items',
};
/** Tabs that are not shown have no contents. */
const TAB = /^(?:expandableT|t)abRenderer$/;

/** What is left out with its contents: notices, advertising, and shelves, which are suggestions or repeat other results. */
const SHELF = /shelf(?:Renderer|ViewModel)$/i;
const ignoredNames: ReadonlySet<string> = new Set([
  ...['messageRenderer', 'alertRenderer', 'alertWithButtonRenderer', 'backgroundPromoRenderer'],
  ...['emergencyOneboxRenderer', 'infoPanelContainerRenderer', 'infoPanelContentRenderer'],
  ...['clarificationRenderer', 'didYouMeanRenderer', 'showingResultsForRenderer', 'feedNudgeRenderer'],
  ...['includingResultsForRenderer', 'searchRefinementCardRenderer', 'horizontalCardListRenderer'],
  ...['richSectionRenderer', 'exploratoryResultsRenderer', 'universalWatchCardRenderer'],
  ...['adSlotRenderer', 'searchPyvRenderer', 'promotedVideoRenderer', 'promotedSparklesWebRenderer'],
  ...[
    'promotedSparklesTextSearchRenderer',
    'carouselAdRenderer',
    'displayAdRenderer',
    'statementBannerRenderer',
  ],
  ...['inFeedAdLayoutRenderer', 'primetimePromoRenderer', 'mealbarPromoRenderer', 'inlineSurveyRenderer'],
  ...['chipCloudRenderer', 'feedFilterChipBarRenderer', 'searchSubMenuRenderer', 'backstagePostThreadRenderer'],
  ...['movieRenderer', 'showRenderer', 'radioRenderer', 'gridRadioRenderer', 'gridPlaylistRenderer'],
  ...['gridChannelRenderer', 'hashtagTileRenderer', 'postRenderer', 'sectionHeaderViewModel'],
]);

const NAMED_CONTINUATION = /continuation/i;
const MAX_DEPTH = 24;

const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const isToken = (name: string, parent: string): boolean =>
  name === 'token' ? NAMED_CONTINUATION.test(parent) : name === 'continuation' || name === 'continuationToken';

/** The first token inside a value, by its name at any depth: the platform has moved it several times. */
const tokenInside = (value: unknown, parent: string, depth = 0): string | null => {
  if (depth > MAX_DEPTH) return null;
  for (const [name, inner] of fieldsOf(value)) {
    const isText = typeof inner === 'string' && inner !== '';
    const nestedToken =
      isText && isToken(name, parent)
        ? asToken(inner)
        : tokenInside(inner, Array.isArray(value) ? parent : name, depth + 1);
    if (nestedToken !== null) return nestedToken;
  }
  return null;
};

/** Throws if the list continues where this reader does not know how: it must not end there as if it were complete. */
const readToken = (name: string, continuation: unknown): string => {
  const token = tokenInside({ [name]: continuation }, '');
  if (token === null) throw new RefusedAnswer(broken('no_token'));
  return token;
};

export type Entry = { readonly name: string; readonly value: unknown };

type Walk = {
  readonly entries: Entry[];
  readonly tokens: { readonly depth: number; readonly token: string }[];
  /** Lists that were met, empty ones as well. */
  lists: number;
};

/** The token of the innermost list: that of a list around it may continue suggestions. */
const innermost = ({ tokens }: Walk): string | null =>
  tokens.toSorted((one, other) => other.depth - one.depth)[0]?.token ?? null;

const RENDERER = /(?:Renderer|ViewModel|Continuation)$/;

const toEntry = (wrapper: unknown): Entry => {
  const names = fieldsOf(wrapper).map(([name]) => name);
  const name = names.find((one) => RENDERER.test(one)) ?? names[0] ?? '';
  return { name, value: inside(wrapper, name) };
};

/** Collects the entries of nested lists, and the tokens with their depth. */
const collect = (wrapper: unknown, depth: number, walk: Walk): void => {
  const entry = toEntry(wrapper);
  const { name, value } = entry;
  if (SHELF.test(name) || ignoredNames.has(name)) return;
  const field = holders[name];
  const content = field === undefined || depth > MAX_DEPTH ? undefined : inside(value, field);
  if (content === undefined) {
    if (field === undefined && NAMED_CONTINUATION.test(name))
      walk.tokens.push({ depth, token: readToken(name, value) });
    else if (!TAB.test(name)) walk.entries.push(entry);
    return;
  }
  if (Array.isArray(content) && field !== 'tabs') walk.lists += 1;
  for (const child of Array.isArray(content) ? content.slice(0, bounds.items) : [content])
    collect(child, depth + 1, walk);
  // Older layouts have `continuations` beside the contents; an empty list is none.
  for (const [sibling, continuation] of fieldsOf(value))
    if (
      NAMED_CONTINUATION.test(sibling) &&
      (typeof continuation === 'string' || fieldsOf(continuation).length > 0)
    )
      walk.tokens.push({ depth: depth + 1, token: readToken(sibling, continuation) });
};

const ACTIONS = ['onResponseReceivedActions', 'onResponseReceivedCommands', 'onResponseReceivedEndpoints'];
const HEADER_SLOT = 'RELOAD_CONTINUATION_SLOT_HEADER';

/** The lists of an answer: those of a continuation, else those of a page. */
const findRoots = (answer: unknown): readonly unknown[] => {
  const actions = ACTIONS.flatMap((name) => listInside(answer, [name]))
    .flatMap((action) => fieldsOf(action).map(([, value]) => value))
    .filter((action) => inside(action, 'slot') !== HEADER_SLOT)
    .map((action) => inside(action, 'continuationItems'))
    .filter((items) => Array.isArray(items));
  if (actions.length > 0) return actions.map((contents) => ({ sectionListContinuation: { contents } }));
  const continuations = each([answer], 'continuationContents');
  return continuations.length > 0 ? continuations : each([answer], 'contents');
};

/** An item of a page; null if it is left out on purpose. */
export type ReadItem<Item> = Item | 'unreadable' | null;

/** `omitted` counts entries that could not be read. */
export const toPage = <Item extends object>(
  results: readonly ReadItem<Item>[],
  next: string | null,
): Page<Item> => ({
  items: results.filter((item) => item !== null && item !== 'unreadable'),
  next,
  omitted: results.filter((item) => item === 'unreadable').length,
});

/**
 * Reads the entries of a page, wherever they stand; null without a list. Throws if entries are there and none can be read: to a reader of
 * older layouts, a new one looks like an empty list.
 */
export const readPage = <Item extends object>(
  answer: unknown,
  read: (entry: Entry) => ReadItem<Item>,
): Page<Item> | null => {
  const walk: Walk = { entries: [], tokens: [], lists: 0 };
  for (const root of findRoots(answer)) collect(root, 0, walk);
  const items = walk.entries.slice(0, bounds.items).map(read);
  const page = toPage(items, innermost(walk));
  if (page.omitted > 0 && page.omitted === items.length) {
    throw new RefusedAnswer(broken('unknown_layout', { reason: walk.entries[0]?.name ?? null }));
  }
  return walk.lists === 0 && items.length === 0 ? null : page;
};
