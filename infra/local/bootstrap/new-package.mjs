// Run by the generator once it has written a new package.
import { ensureInstalled, installNewPackage } from './install.mjs';

await installNewPackage({});
await ensureInstalled();
