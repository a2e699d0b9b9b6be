// `npm run test:soak`: tests that take too long for every change; see docs/reliability.md.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/soak/main.ts', process.argv.slice(2));
