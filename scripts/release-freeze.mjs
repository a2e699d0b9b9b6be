// `npm run release:freeze`: stores the builds of a release, which later ones are tested with.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/release/freeze.ts', process.argv.slice(2));
