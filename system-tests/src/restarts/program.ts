import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { startProgram as start, type RunningProgram } from '@clinic/service-kit/testing/service-process';

export type { LogLine, RunningProgram } from '@clinic/service-kit/testing/service-process';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Starts a program of the clinic and waits until it logs that it is listening.
 *
 * @param folder - of the workspace with its `src/main.ts`, or an absolute path
 * @param onSpawn - gets the process before it listens
 * @param command - script and arguments
 * @throws Error with its output, if it exits first
 */
export const startProgram = (
  folder: string,
  env: Readonly<Record<string, string>>,
  onSpawn?: (child: ChildProcess) => void,
  command: readonly string[] = ['src/main.ts'],
): Promise<RunningProgram> => start(command, { cwd: resolve(root, folder), env, onSpawn });
