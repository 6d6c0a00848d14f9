import { newObjects, newStore } from './new-kept.ts';
import { newCommand, newEvent, newSchedule, newSubscription, newTask } from './new-message.ts';
import { newProjection } from './new-projection.ts';
import { newRoute } from './new-route.ts';
import { newService } from './new-service.ts';
import type { Workspace } from './workspace.ts';

type Maker = (workspace: Workspace, ...words: string[]) => void;

const makers = {
  service: { words: 'NAME', make: newService as Maker },
  command: { words: 'SERVICE NAME', make: newCommand as Maker },
  task: { words: 'SERVICE NAME', make: newTask as Maker },
  event: { words: 'SERVICE NAME', make: newEvent as Maker },
  subscription: { words: 'SERVICE OWNER.EVENT', make: newSubscription as Maker },
  schedule: { words: 'SERVICE NAME [SECONDS]', make: newSchedule as Maker },
  route: { words: 'GROUP OWNER.COMMAND METHOD PATH', make: newRoute as Maker },
  projection: { words: 'SERVICE NAME', make: newProjection as Maker },
  objects: { words: 'SERVICE NAME', make: newObjects as Maker },
  store: { words: 'SERVICE ROW', make: newStore as Maker },
} as const;

export type Kind = keyof typeof makers;
export const kinds = Object.keys(makers) as readonly Kind[];

/** Every form of the command. */
export const usage = (): string =>
  ['Usage:', ...kinds.map((kind) => `  npm run new -- ${kind} ${makers[kind].words}`)].join('\n');

const isKind = (word: string): word is Kind => Object.hasOwn(makers, word);

/** Writes what the words ask for into the tree. Throws the usage, or what is in the way. */
export const newThing = (workspace: Workspace, [kind = '', ...words]: readonly string[]): void => {
  if (!isKind(kind)) throw new Error(usage());
  const asked = makers[kind].words.split(' ');
  const needed = asked.filter((word) => !word.startsWith('['));
  if (words.length < needed.length || words.length > asked.length) throw new Error(usage());
  makers[kind].make(workspace, ...words);
};
