import { type Name, nameOf } from './names.ts';
import {
  addImport,
  addProperty,
  callOf,
  editSource,
  listIn,
  objectArgument,
  objectIn,
} from './source-edits.ts';
import * as templates from './templates/handlers.ts';
import { addFile, serviceIn, touch, type Workspace } from './workspace.ts';

type Owned = { readonly service: Name; readonly message: Name };

const ownedBy = (workspace: Workspace, service: string, message: string): Owned => ({
  service: serviceIn(workspace, service),
  message: nameOf(message),
});

const addToContract = (
  workspace: Workspace,
  { service, message }: Owned,
  kind: 'commands' | 'tasks' | 'events',
  shape: string,
): void => {
  editSource(touch(workspace, `packages/contracts/src/${service.kebab}/contract.ts`), (file) => {
    const contract = objectArgument(callOf(file, 'defineContract'), 1);
    addProperty(objectIn(contract, kind), message.camel, shape);
    if (shape.includes('z.')) addImport(file, 'zod', 'z');
    if (shape.includes(': uuid')) addImport(file, '../ids.ts', 'uuid');
  });
};

const addToMap = (
  workspace: Workspace,
  { service, message }: Owned,
  kind: 'commands' | 'tasks' | 'subscriptions' | 'schedules',
  folder: string,
): void => {
  editSource(touch(workspace, `services/${service.kebab}/src/index.ts`), (file) => {
    const map = objectIn(objectArgument(callOf(file, 'defineService'), 0), kind);
    addProperty(map, message.camel, message.camel);
    addImport(file, `./${folder}/${message.kebab}.ts`, message.camel);
  });
};

const handlerFile = ({ service, message }: Owned, folder: string): string =>
  `services/${service.kebab}/src/${folder}/${message.kebab}.ts`;

export const newCommand = (workspace: Workspace, service: string, name: string): void => {
  const owned = ownedBy(workspace, service, name);
  const file = handlerFile(owned, 'commands');
  addFile(workspace, file, templates.commandHandler(owned));
  addFile(workspace, file.replace(/\.ts$/, '.test.ts'), templates.commandTest(owned));
  addToContract(workspace, owned, 'commands', templates.commandShape(owned.message));
  addToMap(workspace, owned, 'commands', 'commands');
};

export const newTask = (workspace: Workspace, service: string, name: string): void => {
  const owned = ownedBy(workspace, service, name);
  addFile(workspace, handlerFile(owned, 'tasks'), templates.taskHandler(owned));
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
  addFile(workspace, handlerFile(owned, 'listeners'), templates.subscriptionHandler(subscribed));
  editSource(touch(workspace, `services/${owned.service.kebab}/src/surface.ts`), (file) => {
    const taken = objectArgument(callOf(file, 'defineSurface'), 1);
    listIn(taken, 'subscriptions').addElement(`${subscribed.owner.camel}.${subscribed.event.camel}`);
    addImport(file, '@tds/contracts', subscribed.owner.camel);
  });
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
  addFile(workspace, handlerFile(owned, 'schedules'), templates.scheduleHandler(owned.message));
  editSource(touch(workspace, `services/${owned.service.kebab}/src/surface.ts`), (file) => {
    const schedules = objectIn(objectArgument(callOf(file, 'defineSurface'), 1), 'schedules');
    addProperty(schedules, owned.message.camel, `${owned.message.camel}: { everySeconds: ${everySeconds} }`);
  });
  addToMap(workspace, owned, 'schedules', 'schedules');
};
