import { bounds } from '../../config/bounds.ts';
import { each, inside, listInside } from './inside.ts';

/** Tokens are opaque, but they are sent in JSON and in addresses, and stored. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/** A token that can be sent back; null if there is none, or one too long or odd to be stored. */
export const asToken = (given: unknown): string | null =>
  typeof given === 'string' && given.length <= bounds.token && PRINTABLE.test(given) ? given : null;

const TOKEN = ['continuationCommand', 'token'] as const;

/** The three places where the platform has put a token, of which the older ones are still seen. */
const tokensOf = (item: unknown): readonly unknown[] => {
  const endpoint = inside(item, 'continuationItemRenderer', 'continuationEndpoint');
  const commands = listInside(endpoint, ['commandExecutorCommand', 'commands']);
  const model = inside(item, 'continuationItemViewModel', 'continuationCommand', 'innertubeCommand');
  return [
    inside(endpoint, ...TOKEN),
    ...commands.map((command) => inside(command, ...TOKEN)),
    inside(model, ...TOKEN),
  ];
};

/** The token of the page after, from the level of a list that it belongs to; shelves keep theirs to themselves. */
export const nextTokenIn = (items: readonly unknown[]): string | null =>
  asToken(items.flatMap(tokensOf).find((token) => typeof token === 'string' && token !== ''));

const actionNames = ['appendContinuationItemsAction', 'reloadContinuationItemsCommand'] as const;

/** What a continuation answered with; null if the answer is not one to a continuation. */
export const continuedItems = (answer: unknown): readonly unknown[] | null => {
  const actions = [
    ...listInside(answer, ['onResponseReceivedActions']),
    ...listInside(answer, ['onResponseReceivedCommands']),
  ].flatMap((action) => actionNames.flatMap((name) => each([action], name)));
  const lists = actions.filter((action) => Array.isArray(inside(action, 'continuationItems')));
  if (lists.length === 0) return null;
  return lists.flatMap((action) => listInside(action, ['continuationItems'], bounds.items));
};
