import { nameOf } from './names.ts';
import { addTaken, addToContract, addToMap } from './new-message.ts';
import { addImport, callOf, editSource, returnedBy } from './source-edits.ts';
import * as templates from './templates/projection.ts';
import { addFile, serviceIn, testStartOf, touch, type Workspace } from './workspace.ts';

const gateway = nameOf('gateway');

/** What a service keeps in Redis of each account, and the gateway's own copy, which an event keeps new. */
export const newProjection = (workspace: Workspace, word: string, name: string): void => {
  const [service, projection] = [serviceIn(workspace, word), nameOf(name)];
  const event = nameOf(`${projection.kebab}-changed`);
  const owned = { service, projection };
  addToContract(
    workspace,
    { service, message: projection },
    'projections',
    templates.projectionShape(projection),
  );
  addToContract(workspace, { service, message: event }, 'events', templates.changeShape(projection, event));
  editSource(touch(workspace, `packages/contracts/src/${service.kebab}/contract.ts`), (file) => {
    const statement = callOf(file, 'defineContract').getFirstAncestorOrThrow(
      (node) => node.getParent() === file,
    );
    file.insertStatements(statement.getChildIndex(), templates.projectedShape(projection));
    addImport(file, 'zod', 'z');
    addImport(file, '../ids.ts', 'uuid');
  });
  const publish = `services/${service.kebab}/src/application/publish-${projection.kebab}`;
  addFile(workspace, `${publish}.ts`, templates.publisher(owned, event));
  const testStart = testStartOf(workspace, service);
  addFile(workspace, `${publish}.int.test.ts`, templates.publisherTest(owned, testStart));
  const memory = `services/gateway/src/projections/${projection.kebab}-memory`;
  addFile(workspace, `${memory}.ts`, templates.memory(owned, event));
  addFile(workspace, `${memory}.test.ts`, templates.memoryTest(owned));
  addFile(workspace, `services/gateway/src/listeners/${event.kebab}.ts`, templates.listener(owned, event));
  addTaken(workspace, gateway, 'reads', { owner: service, name: projection });
  addTaken(workspace, gateway, 'broadcasts', { owner: service, name: event });
  addToMap(workspace, { service: gateway, message: event }, 'broadcasts', 'listeners');
  editSource(touch(workspace, 'services/gateway/src/create-deps.ts'), (file) => {
    const create = `create${projection.pascal}Memory`;
    returnedBy(file, 'createDeps').addProperty(`${projection.camel}Memory: ${create}(kit.projections)`);
    addImport(file, `./projections/${projection.kebab}-memory.ts`, create);
  });
};
