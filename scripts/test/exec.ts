import { join } from 'node:path';
import { root } from '../stack/settings.ts';
import { startGroup } from './process-group.ts';

/** Path of one of the project's tools, e.g. `oxlint`. */
export const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

/** Result of a program, with its output. */
export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Runs one of the project's tools and streams its output.
 *
 * @param file - absolute path, or a name found on PATH
 * @param quiet - print the output only if it fails
 * @param hush - with `quiet`: don't print it then either, because a failure is an expected outcome
 */
export function exec(
  file: string,
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; quiet?: boolean; hush?: boolean } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { child, exited } = startGroup(file, args, {
      cwd: options.cwd ?? root,
      env: options.env,
    });
    let output = '';
    const show = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (!options.quiet) target.write(chunk);
    };
    child.stdout?.on('data', show(process.stdout));
    child.stderr?.on('data', show(process.stderr));
    child.on('error', reject);
    child.on('close', () => {
      void exited.then((code) => {
        if (code !== 0 && options.quiet && !options.hush) process.stdout.write(output);
        resolve({ ok: code === 0, output });
      }, reject);
    });
  });
}
