// Runs on any Node from 20 on, before anything is installed: no dependencies, no TypeScript.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.installed-for');
const oldestNode = 20;
const started = Date.now();

/** Elapsed time since the command was started, `m:ss`. */
export function elapsed() {
  const seconds = Math.floor((Date.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Prints a line of progress. */
export function log(text) {
  console.log(`[${elapsed()}] ${text}`);
}

/**
 * Installs the dependencies if they are missing or belong to a different lock file. Prints progress every ten seconds,
 * because a cold install takes a minute or more.
 *
 * @param what - `everything`, or `application`: without what only tests and tools use. What was installed once stays.
 */
export async function ensureInstalled(what = 'everything') {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < oldestNode) {
    console.error(
      `Node ${process.versions.node} is too old: install Node ${oldestNode} or later (nodejs.org), then run this again.`,
    );
    process.exit(1);
  }
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = existsSync(stampFile) && existsSync(pinnedNode()) ? readFileSync(stampFile, 'utf8') : undefined;
  const onlyApplication = `${wanted} application`;
  if (stamp === wanted || (stamp === onlyApplication && what === 'application')) return;
  // Who had the tools keeps them.
  const partly = what === 'application' && (stamp === undefined || stamp.endsWith(' application'));
  const completing = stamp === onlyApplication;

  log(
    completing
      ? 'Installing what tests and tools use besides (once; about a minute on a fresh machine) …'
      : 'Installing dependencies (once; one to three minutes on a fresh machine) …',
  );
  const ticking = setInterval(() => log('  … still installing'), 10_000);
  try {
    const shell = process.platform === 'win32';
    // `npm ci` would first remove what a running clinic uses. Without saving, the lock file decides here, too.
    const command = completing ? ['install', '--no-save'] : ['ci', ...(partly ? ['--omit=dev'] : [])];
    // Not every npm supports allowScripts, so install without scripts, then run the allowed ones.
    await run('npm', [...command, '--ignore-scripts', '--loglevel=error'], { shell });
    await run('npm', ['rebuild', ...allowedScripts(), '--loglevel=error'], { shell });
  } catch (error) {
    console.error(
      `\nCouldn't install the dependencies: ${error.message}\nCheck the network and npm's settings, then run the same command again.`,
    );
    process.exit(1);
  } finally {
    clearInterval(ticking);
  }
  writeFileSync(stampFile, partly ? onlyApplication : wanted);
  log('Dependencies are installed.');
}

/** Packages that may run install scripts. */
function allowedScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
}

/** Path of the Node version that the project pins as a dependency. */
export function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Runs a program in this terminal; resolves if it exits with 0. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} ended with ${signal ?? code}`)),
    );
  });
}

/** The process that called this one; if that is a shell that npm has put in between, npm as well (Linux only). */
function ourCallers() {
  const of = (file) => {
    try {
      return readFileSync(`/proc/${process.ppid}/${file}`, 'utf8');
    } catch {
      // It has just ended, or this isn't Linux.
      return '';
    }
  };
  if (process.env.npm_lifecycle_event === undefined || !/^[^\0]*sh\0-c\0/.test(of('cmdline'))) return `${process.ppid}`;
  return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(of('status'))?.[1]}`;
}

/**
 * Continues in a script of the project, run by the pinned Node, and exits with its exit code.
 *
 * Nothing may outlive the command: signals are forwarded, and if npm, our parent, is killed (kill -9), the closed IPC
 * channel stops the script.
 *
 * @param script - path below the project's root
 * @param args - its arguments
 */
export function continueIn(script, args) {
  const env = { ...process.env, STARTED_AT: String(started) };
  // Put the pinned Node first for everything that the script starts.
  env.PATH = `${join(root, 'node_modules', 'node', 'bin')}:${join(root, 'node_modules', '.bin')}:${env.PATH ?? ''}`;
  const child = spawn(pinnedNode(), [join(root, script), ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches the whole process group, the script included: wait until it exits.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGTERM'));
  const callers = ourCallers();
  const watch = setInterval(() => {
    if (ourCallers() !== callers) {
      clearInterval(watch);
      child.disconnect();
    }
  }, 500);
  child.on('error', (error) => {
    console.error(`Couldn't start the project's own Node: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
