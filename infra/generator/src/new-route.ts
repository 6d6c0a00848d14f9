import { existsSync, globSync } from 'node:fs';
import { type CallExpression, type SourceFile, SyntaxKind } from 'ts-morph';
import { messageOf, sampleOf } from './messages.ts';
import { type Name, nameOf } from './names.ts';
import {
  addImport,
  addOnce,
  addProperty,
  callOf,
  editSource,
  objectArgument,
  objectOf,
} from './source-edits.ts';
import * as templates from './templates/route.ts';
import { addFile, inWorkspace, serviceIn, touch, type Workspace } from './workspace.ts';

const HTTP_API = 'packages/http-api/src';
const GATEWAY = 'services/gateway/src';

const rowsOf = (group: Name): string => `${HTTP_API}/routes/${group.kebab}-routes.ts`;

/** A group of routes that is new: its rows, and the tag under which readers find them. */
const ensureRows = (workspace: Workspace, group: Name): void => {
  if (existsSync(inWorkspace(workspace, rowsOf(group)))) return;
  addFile(workspace, rowsOf(group), templates.rows(group));
  const tag = templates.tagOf(group);
  editSource(touch(workspace, `${HTTP_API}/define-route.ts`), (file) => {
    const tags = file
      .getVariableDeclarationOrThrow('routeTags')
      .getFirstDescendantByKindOrThrow(SyntaxKind.ObjectLiteralExpression);
    addProperty(tags, `'${tag}'`, `'${tag}': '${tag}'`);
  });
  editSource(touch(workspace, `${HTTP_API}/routes.ts`), (file) => {
    addOnce(objectOf(file, 'routes'), `...${group.camel}Routes`);
    addImport(file, `./routes/${group.kebab}-routes.ts`, `${group.camel}Routes`);
  });
};

const ensureHandlers = (workspace: Workspace, group: Name): string => {
  const name = `${GATEWAY}/routes/${group.kebab}`;
  const [file = `${name}.ts`] = globSync(`${name}{,s}.ts`, { cwd: workspace.root });
  if (existsSync(inWorkspace(workspace, file))) return file;
  addFile(workspace, file, templates.handlers(group));
  editSource(touch(workspace, `${GATEWAY}/routes/route-handlers.ts`), (handlers) => {
    addOnce(objectOf(handlers, 'routeHandlers'), `...${group.camel}Routes`);
    addImport(handlers, `./${group.kebab}.ts`, `${group.camel}Routes`);
  });
  return file;
};

/** The tag of the rows that a group has already. */
const tagIn = (file: SourceFile): string | undefined =>
  file
    .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
    .find((property) => property.getName() === 'tag')
    ?.getInitializerIfKind(SyntaxKind.StringLiteral)
    ?.getLiteralValue();

const fakeOfOwner = (file: SourceFile, owner: Name): CallExpression | undefined =>
  file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .find(
      (call) =>
        call.getExpression().getText() === 'fakeOf' && call.getArguments()[0]?.getText() === owner.camel,
    );

/** The fake of a service among those that the tests of the gateway start; its property is how they find it. */
const ensureFake = (
  file: SourceFile,
  owner: Name,
): { readonly fake: CallExpression; readonly property: string } => {
  const started = callOf(file, 'startIdentity').getFirstAncestorByKindOrThrow(
    SyntaxKind.ObjectLiteralExpression,
  );
  if (!fakeOfOwner(file, owner)) {
    const last = file.getVariableStatementOrThrow('startFakes').getChildIndex();
    file.insertStatements(last, templates.newFake(owner));
    addImport(file, '@tds/contracts', owner.camel);
    started.addProperty(`${owner.camel}: start${owner.pascal}(servers)`);
  }
  const fake = fakeOfOwner(file, owner) as CallExpression;
  const start = fake.getFirstAncestorByKindOrThrow(SyntaxKind.VariableDeclaration).getName();
  const property = started.getProperties().find((one) => one.getText().includes(` ${start}(`));
  return { fake, property: property?.getText().split(':')[0] ?? owner.camel };
};

/** Gives the fake an answer; resolves to its property in tests. */
const answerInTests = (workspace: Workspace, owner: Name, command: Name, reply: string): string => {
  let name = '';
  editSource(touch(workspace, `${GATEWAY}/test-support/fakes.ts`), (file) => {
    const { fake, property } = ensureFake(file, owner);
    const answers = objectArgument(fake, 1);
    name = property;
    if (answers.getProperty(command.camel)) return;
    answers.addProperty(`${command.camel}: async () => (${reply})`);
    if (reply.includes('randomUUID')) addImport(file, 'node:crypto', 'randomUUID');
  });
  return name;
};

/** A route that calls one command, which gives it its name. */
export const newRoute = (
  workspace: Workspace,
  word: string,
  asked: string,
  method: string,
  path: string,
): void => {
  if (!/^(GET|POST|PUT|DELETE)$/.test(method)) throw new Error(`"${method}" is no method of routes`);
  if (!/^\/v1\/[\w/{}-]+$/.test(path)) throw new Error(`"${path}" is no path such as /v1/keys/{id}`);
  const [ownerWord = '', commandWord = ''] = asked.split('.');
  const group = nameOf(word);
  const [owner, command] = [serviceIn(workspace, ownerWord), nameOf(commandWord)];
  const { request, reply } = messageOf(workspace, owner, command, 'command');
  ensureRows(workspace, group);
  const isOwned = Object.hasOwn(request.properties ?? {}, 'accountId');
  const route = { owner, command, method, path, isOwned };
  editSource(touch(workspace, rowsOf(group)), (file) => {
    const tag = tagIn(file) ?? templates.tagOf(group);
    const rows = objectArgument(callOf(file, 'defineRoutes'), 0);
    addProperty(rows, command.camel, templates.row({ ...route, tag }));
    addImport(file, '@tds/contracts', owner.camel);
    addImport(file, '../define-route.ts', 'okBody');
  });
  editSource(touch(workspace, ensureHandlers(workspace, group)), (file) => {
    addProperty(objectOf(file, `${group.camel}Routes`), command.camel, templates.handler(route));
    addImport(file, '@tds/http-api', 'routes');
    addImport(file, './route-handler.ts', 'callRoute');
  });
  editSource(touch(workspace, 'packages/http-api/src/testing/good-requests.ts'), (file) =>
    addProperty(objectOf(file, 'goodRequests'), command.camel, `${command.camel}: () => ({})`),
  );
  const fake = answerInTests(workspace, owner, command, sampleOf(reply));
  const test = `${GATEWAY}/routes/${command.kebab}.int.test.ts`;
  addFile(workspace, test, templates.routeTest(route, fake));
};
