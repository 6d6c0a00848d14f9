import { readFileSync } from 'node:fs';
import { addImport, addProperty, editSource, lastArgument, objectIn } from './source-edits.ts';
import { copyTemplate, nameOf, serviceIn, touch, type Workspace } from './workspace.ts';

const SERVICE_NAMES = 'packages/contracts/src/service-names.ts';
const CONTRACTS = 'packages/contracts/src/index.ts';

/** A service with a contract and a database of its own. It answers no command yet. */
const newService = (workspace: Workspace, word: string): void => {
  const service = nameOf(word);
  const { kebab } = service;
  copyTemplate(workspace, 'contract.ts', `packages/contracts/src/${kebab}/contract.ts`, { service });
  copyTemplate(workspace, 'service', `services/${kebab}`, { service });
  editSource(touch(workspace, CONTRACTS), (source) => {
    source.addExportDeclaration({ moduleSpecifier: `./${kebab}/contract.ts` });
  });
  if (readFileSync(`${workspace.root}/${SERVICE_NAMES}`, 'utf8').includes(`'${kebab}'`)) return;
  editSource(touch(workspace, SERVICE_NAMES), (source) => {
    source.replaceWithText(source.getFullText().replace('] as const;', `  '${kebab}',\n] as const;`));
  });
};

/** A command that returns the account that called it, with its unit test. */
const newCommand = (workspace: Workspace, word: string, name: string): void => {
  const [service, command] = [serviceIn(workspace, word), nameOf(name)];
  const handler = `commands/${command.kebab}`;
  for (const [from, end] of [
    ['handler', 'ts'],
    ['test', 'test.ts'],
  ] as const) {
    const target = `services/${service.kebab}/src/${handler}.${end}`;
    copyTemplate(workspace, `command/${from}.ts`, target, { service, command });
  }
  editSource(touch(workspace, `packages/contracts/src/${service.kebab}/contract.ts`), (file) => {
    const shape = '{ request: z.object({ accountId: uuid }), reply: z.object({ accountId: uuid }) }';
    const commands = objectIn(lastArgument(file, 'defineContract'), 'commands');
    addProperty(commands, command.camel, `${command.camel}: ${shape}`);
    addImport(file, 'zod', 'z');
    addImport(file, '../ids.ts', 'uuid');
  });
  editSource(touch(workspace, `services/${service.kebab}/src/index.ts`), (file) => {
    addProperty(objectIn(lastArgument(file, 'defineService'), 'commands'), command.camel, command.camel);
    addImport(file, `./${handler}.ts`, command.camel);
  });
};

const usage = 'Usage:\n  npm run new -- service NAME\n  npm run new -- command SERVICE NAME';

/** Writes a service or a command into the tree. Throws the usage, or the reason why it cannot. */
export const newPart = (workspace: Workspace, [kind, ...words]: readonly string[]): void => {
  const [first = '', second = ''] = words;
  if (kind === 'service' && words.length === 1) newService(workspace, first);
  else if (kind === 'command' && words.length === 2) newCommand(workspace, first, second);
  else throw new Error(usage);
};
