// `npm start`: from a fresh clone to the running clinic.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/stack/main.ts', process.argv.slice(2));
