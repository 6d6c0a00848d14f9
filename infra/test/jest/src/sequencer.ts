import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** Of files that share a system: what looks at all that was written goes first, what leaves broken books behind, or puts back databases, last. */
const FOLDERS = ['stories', 'fuzz', 'browser', 'clients', 'field', 'promises', 'security'];
const placeOf = (path: string): number =>
  path.includes('/restored-databases.')
    ? FOLDERS.length
    : FOLDERS.indexOf(/\/test-e2e\/([^/]+)\//.exec(path)?.[1] ?? '');

/** The longest first, as Jest does, but whole-system tests in one order, the same each time. */
export default class OrderedSequencer extends Sequencer {
  override async sort(...[tests]: Parameters<InstanceType<typeof Sequencer>['sort']>) {
    const sorted = await super.sort(tests);
    const isShared = ({ path }: (typeof sorted)[number]) => path.includes('/test-e2e/');
    return [
      ...sorted
        .filter(isShared)
        .toSorted(
          (one, other) => placeOf(one.path) - placeOf(other.path) || one.path.localeCompare(other.path),
        ),
      ...sorted.filter((test) => !isShared(test)),
    ];
  }
}
