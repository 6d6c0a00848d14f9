import { createHash } from 'node:crypto';
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

/** Of `npm test -- --steady`: files that share no system run in an order of its own for each seed. */
const shuffle = <T extends { readonly path: string }>(tests: readonly T[]): T[] => {
  const seed = process.env.TDS_TEST_SHUFFLE;
  const place = ({ path }: T) => createHash('sha256').update(`${seed} ${path}`).digest('hex');
  return seed ? tests.toSorted((one, other) => place(one).localeCompare(place(other))) : [...tests];
};

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
      ...shuffle(sorted.filter((test) => !isShared(test))),
    ];
  }
}
