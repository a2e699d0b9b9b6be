// `npm test`: every check of the project, from a fresh clone.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/test/main.ts', process.argv.slice(2));
