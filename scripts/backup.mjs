// `npm run backup`, `npm run restore`, `npm run backup:verify`, `npm run backup:keys`: see docs/backup.md.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/backup/main.ts', process.argv.slice(2));
