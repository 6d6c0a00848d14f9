import { bounds } from '../../config/bounds.ts';
import { each, inside, listInside } from './inside.ts';

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
export const nextTokenIn = (items: readonly unknown[]): string | null => {
  const found = items.flatMap(tokensOf).find((token) => typeof token === 'string' && token !== '');
  return typeof found === 'string' && found.length <= bounds.token ? found : null;
};

const actionNames = ['appendContinuationItemsAction', 'reloadContinuationItemsCommand'] as const;

/** What a continuation answered with; null where the answer is no continuation's. */
export const continuedItems = (answer: unknown): readonly unknown[] | null => {
  const actions = [
    ...listInside(answer, ['onResponseReceivedActions']),
    ...listInside(answer, ['onResponseReceivedCommands']),
  ].flatMap((action) => actionNames.flatMap((name) => each([action], name)));
  const lists = actions.filter((action) => Array.isArray(inside(action, 'continuationItems')));
  if (lists.length === 0) return null;
  return lists.flatMap((action) => listInside(action, ['continuationItems'], bounds.items));
};
