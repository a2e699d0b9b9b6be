// `node scripts/run.mjs [--application] PROGRAM …`: runs a program of the project, from a fresh clone and with the project's own
// Node. With --application it needs nothing that only tests and tools use.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

const given = process.argv.slice(2);
const isApplication = given[0] === '--application';
const [program, ...args] = isApplication ? given.slice(1) : given;
await ensureInstalled(isApplication ? 'application' : 'everything');
continueIn(program, args);
