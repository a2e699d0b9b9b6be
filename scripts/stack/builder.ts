// Builds the apps whose folders arrive as messages, one after another, and answers each with how it went.
import { build, type BuildReport } from '@clinic/webpack-config/build';

process.on('message', (folder: string) => {
  void build(folder)
    .catch((error: unknown): BuildReport => ({ failed: true, text: String((error as Error).stack) }))
    .then((report) => process.send?.(report));
});
