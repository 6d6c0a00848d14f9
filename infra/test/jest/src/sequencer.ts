import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** What shares a system: stories first; what breaks something, and looks at all that was written, last. */
const LAST = ['promises', 'fuzz'];
const placeOf = (path: string): number => LAST.indexOf(/\/test-e2e\/([^/]+)\//.exec(path)?.[1] ?? '');

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
