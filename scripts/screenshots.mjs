// `npm run screenshots`: pictures of every screen and state, as one page to look through; see README.md.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('e2e/src/screenshots/main.ts', process.argv.slice(2));
