import path from 'node:path';
import { findOrUnpack } from '../debian-packages.ts';
import { unpackedBinaries } from '../find-server.ts';
import { toolsDir } from '../paths.ts';
import { OLDEST_DEBIAN } from '../releases.ts';
import { isExecutable, type ServerBinary } from '../server-versions.ts';

const oldestNatsDir = path.join(toolsDir, 'oldest-nats');

/** The oldest NATS that we support, of Debian's package. */
export const findOldestNats = (): Promise<ServerBinary> =>
  findOrUnpack(
    () => unpackedBinaries('nats-server', oldestNatsDir).find(({ command }) => isExecutable(command)),
    {
      label: 'the oldest NATS that tests use',
      ...{ packages: ['nats-server'], dir: oldestNatsDir, release: OLDEST_DEBIAN },
      install: `the package nats-server of Debian ${OLDEST_DEBIAN} into ${oldestNatsDir}`,
    },
  );
