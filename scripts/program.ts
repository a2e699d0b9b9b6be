import { UserError } from './log.ts';

/**
 * Runs a program until it has ended. An error of its user is shown as its message, any other with its stack.
 *
 * @param failed - exit code after an error
 */
export async function runProgram(main: () => unknown, failed = 1): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : (error as Error).stack);
    process.exitCode = failed;
  } finally {
    // The channel to the process that watches this one would keep it alive.
    if (process.connected) process.disconnect();
  }
}
