import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const dashboardFiles = { script: 'dashboard-AAAA.js', style: 'dashboard-BBBB.css' };

export const downloadNames = {
  sdk: 'sdk-1.2.0-0123456789ab.tgz',
  python: 'transcript_delivery-1.2.0-0123456789ab.py',
};

/** A folder like the one that the bootstrap builds. */
export const writeBuilt = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'built-'));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  for (const part of ['dashboard', 'downloads']) mkdirSync(path.join(folder, part));
  write('dashboard/assets.json', JSON.stringify(dashboardFiles));
  write(`dashboard/${dashboardFiles.script}`, 'console.log(1);'.repeat(1_000));
  write(`dashboard/${dashboardFiles.style}`, 'a{}');
  write(`downloads/${downloadNames.sdk}`, 'a package');
  write(`downloads/${downloadNames.python}`, 'import json\n'.repeat(1_000));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
};
