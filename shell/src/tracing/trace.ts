import { startTracing } from './start-tracing.ts';

startTracing(window);
