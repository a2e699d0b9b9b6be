import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programEnv } from '@clinic/service-kit/testing/program-env';
import { rememberedClinic } from './remembered.ts';

type LogLine = Readonly<Record<string, unknown>>;

/** The gateway as its own process. */
export interface RunningProgram extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Its log until it was listening, with that line at the end. */
  readonly log: readonly LogLine[];
}

/**
 * Starts the program and waits until it is listening.
 *
 * @throws Error with its error output, if it exits before that
 */
export async function startProgram(env: Readonly<Record<string, string>>): Promise<RunningProgram> {
  const remembered = rememberedClinic();
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...programEnv(),
      PORT: '0',
      FIREBASE_API_KEY: 'none',
      FIREBASE_PROJECT_ID: 'none',
      PUBLICATIONS_DIR: remembered.path,
      ...env,
    },
  });
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  if (!child.stdout) throw new Error('no output');
  const log: LogLine[] = [];
  const listening = async (output: NodeJS.ReadableStream): Promise<void> => {
    for await (const line of createInterface({ input: output })) {
      log.push(JSON.parse(line) as LogLine);
      if (log.at(-1)?.['msg'] === 'listening') break;
    }
    if (log.at(-1)?.['msg'] !== 'listening') throw new Error(`the gateway ended: ${errors}`);
  };
  await listening(child.stdout);
  child.stdout.resume();
  return {
    pid: child.pid,
    log,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
      remembered.remove();
    },
  };
}
