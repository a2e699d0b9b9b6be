// `npm run test:mongodb [-- PART OF A PATH …]`: the services' tests on a MongoDB replica set instead of the embedded database.
import { log, UserError } from '../log.ts';
import { nodeFiles } from '../test/node-files.ts';
import { describeFailure } from '../test/reports.ts';
import { lastLine, sideBySide } from '../test/run-files.ts';
import { testFiles } from '../test/selection.ts';
import { requireImages, startReplicaSet } from './replica-set.ts';

try {
  await requireImages();
  const words = process.argv.slice(2);
  const files = testFiles()
    .map(({ path }) => path)
    .filter((path) => /^(?:svc-\w+|packages\/service-kit)\/.*\.int\.test\.ts$/.test(path))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)));
  log('Starting a replica set of three …');
  const mongodb = await startReplicaSet();
  try {
    const { count, report } = await nodeFiles(files, { ...sideBySide(), env: { TEST_MONGODB_URI: mongodb.uri } });
    for (const failure of report.failures) console.log(describeFailure(failure));
    console.log(`\n${lastLine(count)}`);
    process.exitCode = count.failed === 0 ? 0 : 1;
  } finally {
    await mongodb.close();
  }
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
} finally {
  if (process.connected) process.disconnect();
}
