// `npm run test:soak`: what takes longer than a test may; see docs/reliability.md.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/soak/main.ts', process.argv.slice(2));
