// `npm run lab`: a page with buttons that break parts of a clinic, and the clinic to watch.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('e2e/src/lab/main.ts', process.argv.slice(2));
