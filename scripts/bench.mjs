// `npm run bench`: measures everything that has a performance target; see bench/README.md.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('bench/src/main.ts', process.argv.slice(2));
