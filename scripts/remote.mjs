// `npm run remote -- …`: manages which release of a front-end this machine serves.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/remote/main.ts', process.argv.slice(2));
