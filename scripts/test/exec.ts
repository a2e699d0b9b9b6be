import { spawn } from 'node:child_process';
import { root } from '../stack/settings.ts';

/** How a program ended, with all that it said. */
export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Runs a program of the project's tools and shows its output as it comes.
 *
 * @param file - absolute path, or a name found on PATH
 * @param quiet - keep the output off the terminal unless it fails
 * @param hush - then, too: failing is an answer like another
 */
export function exec(file: string, args: readonly string[], options: { env?: Record<string, string>; cwd?: string; quiet?: boolean; hush?: boolean } = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd ?? root, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const show = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (!options.quiet) target.write(chunk);
    };
    child.stdout.on('data', show(process.stdout));
    child.stderr.on('data', show(process.stderr));
    const stop = (): boolean => child.kill('SIGTERM');
    process.once('disconnect', stop);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('disconnect', stop);
      if (code !== 0 && options.quiet && !options.hush) process.stdout.write(output);
      resolve({ ok: code === 0, output });
    });
  });
}
