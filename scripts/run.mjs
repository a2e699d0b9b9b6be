// `node scripts/run.mjs PROGRAM …`: runs a program of the project, from a fresh clone and with the project's own Node.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

const [program, ...args] = process.argv.slice(2);
await ensureInstalled();
continueIn(program, args);
