// `npm run release`: makes a release, or checks one.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/release/main.ts', process.argv.slice(2));
