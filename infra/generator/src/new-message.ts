import { messageOf, sampleOf } from './messages.ts';
import { type Name, nameOf } from './names.ts';
import {
  addImport,
  addOnce,
  addProperty,
  callOf,
  editSource,
  listIn,
  objectArgument,
  objectIn,
} from './source-edits.ts';
import * as templates from './templates/handlers.ts';
import * as tests from './templates/tests.ts';
import { addFile, serviceIn, testStartOf, touch, type Workspace } from './workspace.ts';

export type Owned = { readonly service: Name; readonly message: Name };

const ownedBy = (workspace: Workspace, service: string, message: string): Owned => ({
  service: serviceIn(workspace, service),
  message: nameOf(message),
});

export const addToContract = (
  workspace: Workspace,
  { service, message }: Owned,
  kind: 'commands' | 'tasks' | 'events' | 'projections' | 'objects',
  shape: string,
): void => {
  editSource(touch(workspace, `packages/contracts/src/${service.kebab}/contract.ts`), (file) => {
    const contract = objectArgument(callOf(file, 'defineContract'), 1);
    addProperty(objectIn(contract, kind), message.camel, shape);
    if (shape.includes('z.')) addImport(file, 'zod', 'z');
    if (shape.includes(': uuid')) addImport(file, '../ids.ts', 'uuid');
  });
};

export const addToMap = (
  workspace: Workspace,
  { service, message }: Owned,
  kind: 'commands' | 'tasks' | 'subscriptions' | 'broadcasts' | 'schedules',
  folder: string,
): void => {
  editSource(touch(workspace, `services/${service.kebab}/src/index.ts`), (file) => {
    const map = objectIn(objectArgument(callOf(file, 'defineService'), 0), kind);
    addProperty(map, message.camel, message.camel);
    addImport(file, `./${folder}/${message.kebab}.ts`, message.camel);
  });
};

/** Adds to what a service takes, such as `calls`, something of another one's contract. */
export const addTaken = (
  workspace: Workspace,
  service: Name,
  kind: 'calls' | 'subscriptions' | 'broadcasts' | 'reads',
  taken: { readonly owner: Name; readonly name: Name },
): void => {
  editSource(touch(workspace, `services/${service.kebab}/src/surface.ts`), (file) => {
    const all = objectArgument(callOf(file, 'defineSurface'), 1);
    addOnce(listIn(all, kind), `${taken.owner.camel}.${taken.name.camel}`);
    addImport(file, '@tds/contracts', taken.owner.camel);
  });
};

/** Writes a handler and its test beside it. */
const addHandler = (
  workspace: Workspace,
  { service, message }: Owned,
  folder: string,
  texts: { readonly handler: string; readonly unitTest?: string; readonly test?: string },
): void => {
  const file = `services/${service.kebab}/src/${folder}/${message.kebab}`;
  addFile(workspace, `${file}.ts`, texts.handler);
  if (texts.unitTest) addFile(workspace, `${file}.test.ts`, texts.unitTest);
  if (texts.test) addFile(workspace, `${file}.int.test.ts`, texts.test);
};

export const newCommand = (workspace: Workspace, service: string, name: string): void => {
  const owned = ownedBy(workspace, service, name);
  const unitTest = tests.commandTest(owned.message);
  addHandler(workspace, owned, 'commands', { handler: templates.commandHandler(owned), unitTest });
  addToContract(workspace, owned, 'commands', templates.commandShape(owned.message));
  addToMap(workspace, owned, 'commands', 'commands');
};

export const newTask = (workspace: Workspace, service: string, name: string): void => {
  const owned = ownedBy(workspace, service, name);
  const test = tests.taskTest({ ...owned, testStart: testStartOf(workspace, owned.service) });
  addHandler(workspace, owned, 'tasks', { handler: templates.taskHandler(owned), test });
  addToContract(workspace, owned, 'tasks', templates.taskShape(owned.message));
  addToMap(workspace, owned, 'tasks', 'tasks');
};

export const newEvent = (workspace: Workspace, service: string, name: string): void => {
  const owned = ownedBy(workspace, service, name);
  addToContract(workspace, owned, 'events', templates.eventShape(owned.message));
};

/** @param event of another service, as `identity.accountCreated` */
export const newSubscription = (workspace: Workspace, word: string, event: string): void => {
  const [owner = '', name = ''] = event.split('.');
  const subscribed = { owner: serviceIn(workspace, owner), event: nameOf(name) };
  const owned = { service: serviceIn(workspace, word), message: subscribed.event };
  const sample = sampleOf(messageOf(workspace, subscribed.owner, subscribed.event, 'event').payload);
  const testStart = testStartOf(workspace, owned.service);
  addHandler(workspace, owned, 'listeners', {
    handler: templates.subscriptionHandler(subscribed),
    test: tests.subscriptionTest({ ...subscribed, testStart, sample }),
  });
  addTaken(workspace, owned.service, 'subscriptions', { owner: subscribed.owner, name: subscribed.event });
  addToMap(workspace, owned, 'subscriptions', 'listeners');
};

export const newSchedule = (
  workspace: Workspace,
  service: string,
  name: string,
  everySeconds = '60',
): void => {
  if (!/^[1-9]\d*$/.test(everySeconds)) throw new Error(`"${everySeconds}" is no number of seconds`);
  const owned = ownedBy(workspace, service, name);
  addHandler(workspace, owned, 'schedules', {
    handler: templates.scheduleHandler(owned.message),
    unitTest: tests.scheduleTest(owned.message),
  });
  editSource(touch(workspace, `services/${owned.service.kebab}/src/surface.ts`), (file) => {
    const schedules = objectIn(objectArgument(callOf(file, 'defineSurface'), 1), 'schedules');
    addProperty(schedules, owned.message.camel, `${owned.message.camel}: { everySeconds: ${everySeconds} }`);
  });
  addToMap(workspace, owned, 'schedules', 'schedules');
};
