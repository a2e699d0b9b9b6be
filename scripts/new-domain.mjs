// `npm run new:domain -- billing`: creates a new remote and a new service.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/new-domain/main.ts', process.argv.slice(2));
