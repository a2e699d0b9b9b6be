// `npm run service -- check svc-clinic`: checks whether a service may be deployed.
import { continueIn, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
continueIn('scripts/service/main.ts', process.argv.slice(2));
