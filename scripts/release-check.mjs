// `npm run release:check`: what of today's calls would break front-ends of earlier releases.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/release/check.ts', process.argv.slice(2));
