// `npm run reset`: deletes this machine's data, so that the next start seeds it again.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from './bootstrap.mjs';

const dataDir = process.env.DATA_DIR ?? join(root, '.data');
const lockFile = join(dataDir, 'running.json');
if (existsSync(lockFile)) {
  const { pid } = JSON.parse(readFileSync(lockFile, 'utf8'));
  if (isAlive(pid)) {
    console.error(`The clinic is running on this data (process ${pid}): stop it with Ctrl-C first, then reset.`);
    process.exit(1);
  }
}
rmSync(dataDir, { recursive: true, force: true });
console.log(`Emptied ${dataDir}: the next start begins with fresh demo data.`);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
