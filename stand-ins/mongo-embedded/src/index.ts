export { startServer } from './server/server.ts';
export type { RunningServer, ServerOptions } from './server/server.ts';
export { DataDirectoryError } from './server/data-directory.ts';
