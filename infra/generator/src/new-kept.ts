import { existsSync } from 'node:fs';
import { SyntaxKind } from 'ts-morph';
import { type Name, nameOf, pluralOf } from './names.ts';
import { addToContract } from './new-message.ts';
import {
  addBeforeSpread,
  addImport,
  callOf,
  editSource,
  objectArgument,
  returnedBy,
} from './source-edits.ts';
import * as templates from './templates/kept.ts';
import { objectsTest, storeTest } from './templates/tests.ts';
import {
  addFile,
  appendTo,
  inWorkspace,
  serviceIn,
  testStartOf,
  touch,
  type Workspace,
} from './workspace.ts';

/** A table, and the one file that knows its SQL. The name is that of one row. */
export const newStore = (workspace: Workspace, word: string, name: string): void => {
  const [service, one] = [serviceIn(workspace, word), nameOf(name)];
  const many = pluralOf(one);
  const folder = `services/${service.kebab}`;
  addFile(workspace, `${folder}/src/store/${many.kebab}.ts`, templates.store(one));
  const test = storeTest(one, many, testStartOf(workspace, service));
  addFile(workspace, `${folder}/src/store/${many.kebab}.int.test.ts`, test);
  appendTo(workspace, `${folder}/prisma/schema.prisma`, templates.model(one, many));
  const lock = `${folder}/prisma/migrations/migration_lock.toml`;
  if (!existsSync(inWorkspace(workspace, lock))) addFile(workspace, lock, 'provider = "postgresql"\n');
  const migration = `${folder}/prisma/migrations/20261122000000_tables/migration.sql`;
  appendTo(workspace, migration, templates.table(many));
};

/** Lends the object store to the handlers of a service, unless they have it. */
const lendObjects = (workspace: Workspace, { kebab }: Name): void => {
  const folder = `services/${kebab}/src`;
  const isLent = { already: false };
  editSource(touch(workspace, `${folder}/deps.ts`), (file) => {
    const deps = file.getTypeAliasOrThrow('Deps').getTypeNodeOrThrow();
    const own =
      deps.asKind(SyntaxKind.TypeLiteral) ?? deps.getFirstDescendantByKindOrThrow(SyntaxKind.TypeLiteral);
    isLent.already = own.getProperty('objects') !== undefined;
    if (isLent.already) return;
    own.addProperty({ name: 'objects', type: 'Objects', isReadonly: true });
    addImport(file, '@tds/service-kit', 'Objects');
  });
  if (isLent.already) return;
  editSource(touch(workspace, `${folder}/create-deps.ts`), (file) =>
    addBeforeSpread(returnedBy(file, 'createDeps'), 'objects: kit.objects'),
  );
};

/** A kind of objects that a service keeps. */
export const newObjects = (workspace: Workspace, word: string, name: string): void => {
  const [service, kind] = [serviceIn(workspace, word), nameOf(name)];
  const words = kind.kebab.replaceAll('-', ' ');
  addToContract(workspace, { service, message: kind }, 'objects', `${kind.camel}: '${words}'`);
  lendObjects(workspace, service);
  const testStart = testStartOf(workspace, service);
  const file = `services/${service.kebab}/src/application/store-${kind.kebab}`;
  addFile(workspace, `${file}.ts`, templates.objects({ service, kind }));
  addFile(workspace, `${file}.int.test.ts`, objectsTest(kind, testStart));
  const support = `services/${service.kebab}/src/test-support/${testStart.file}`;
  editSource(touch(workspace, support), (source) => {
    const options = objectArgument(callOf(source, 'startHarness'), 0);
    if (options.getProperty('objects')) return;
    options.addProperty('objects: [surface]');
    addImport(source, '../surface.ts', 'surface');
  });
};
