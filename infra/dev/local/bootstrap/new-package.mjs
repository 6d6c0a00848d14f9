// After a package was added to the workspace, or its dependencies changed.
import { ensureInstalled, installNewPackage } from './install.mjs';

await installNewPackage({});
await ensureInstalled('new-package');
