import { startWhenNeeded } from './start.ts';

startWhenNeeded();
