// `npm run release:freeze`: keeps the builds of a release, with which later ones are tested.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/release/freeze.ts', process.argv.slice(2));
