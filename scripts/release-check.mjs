// `npm run release:check`: finds changes to calls that would break front-ends of earlier releases.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/release/check.ts', process.argv.slice(2));
