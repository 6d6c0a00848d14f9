import { planPackages, unpack } from '../debian-packages.ts';

/** Unpacks programs of a release of Debian and all that they need, but the C library, into a folder. */
export const unpackPrograms = (names: readonly string[], target: string, release: string): Promise<void> =>
  unpack(
    async (options) => {
      const planned = await planPackages(options, ...names);
      if (planned.length === 0) throw new Error(`apt-get cannot plan ${names.join(' ')} of ${release}`);
      return planned;
    },
    target,
    { release },
  );
