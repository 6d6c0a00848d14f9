import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const dashboardFiles = { script: 'dashboard-AAAA.js', style: 'dashboard-BBBB.css' };

/** A folder like the one that the build of the dashboard writes. */
export const writeDashboard = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dashboard-'));
  writeFileSync(path.join(folder, 'assets.json'), JSON.stringify(dashboardFiles));
  writeFileSync(path.join(folder, dashboardFiles.script), 'console.log(1);'.repeat(1_000));
  writeFileSync(path.join(folder, dashboardFiles.style), 'a{}');
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
};
