// `npm run new:domain -- billing`: a new remote and a new service, ready to be worked on.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/new-domain/main.ts', process.argv.slice(2));
