// `npm run remote -- …`: which release of a front-end is served on this machine.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/remote/main.ts', process.argv.slice(2));
