// `npm start`: from a fresh clone to a running clinic.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/stack/main.ts', process.argv.slice(2));
