import { readFileSync } from 'node:fs';
import { type Name, nameOf } from './names.ts';
import { editSource } from './source-edits.ts';
import { contract, serviceFiles, type Versions } from './templates/service.ts';
import { addFile, inWorkspace, touch, type Workspace } from './workspace.ts';

const MODEL = 'services/credits-ledger/package.json';
const NEEDED = ['@prisma/client', '@tds/contracts', '@tds/service-kit'];

const versionsIn = (workspace: Workspace): Versions => {
  const { dependencies } = JSON.parse(readFileSync(inWorkspace(workspace, MODEL), 'utf8')) as {
    dependencies: Versions;
  };
  return Object.fromEntries(NEEDED.map((name) => [name, dependencies[name] ?? 'workspace:*']));
};

/** Adds the name to the list of services, unless it is there. */
const addServiceName = (workspace: Workspace, { kebab }: Name): void => {
  const file = 'packages/contracts/src/service-names.ts';
  const text = readFileSync(inWorkspace(workspace, file), 'utf8');
  if (text.includes(`'${kebab}'`)) return;
  editSource(touch(workspace, file), (source) => {
    source.getVariableDeclarationOrThrow('serviceNames');
    source.replaceWithText(text.replace('] as const;', `  '${kebab}',\n] as const;`));
  });
};

const exportContract = (workspace: Workspace, { kebab }: Name): void => {
  editSource(touch(workspace, 'packages/contracts/src/index.ts'), (source) => {
    source.addExportDeclaration({ moduleSpecifier: `./${kebab}/contract.ts` });
  });
};

/** A service with a contract and tables of its own, in the shape of the others. It answers nothing yet. */
export const newService = (workspace: Workspace, word: string): void => {
  const name = nameOf(word);
  addFile(workspace, `packages/contracts/src/${name.kebab}/contract.ts`, contract(name));
  addServiceName(workspace, name);
  exportContract(workspace, name);
  for (const [file, text] of Object.entries(serviceFiles(name, versionsIn(workspace)))) {
    addFile(workspace, `services/${name.kebab}/${file}`, text);
  }
};
