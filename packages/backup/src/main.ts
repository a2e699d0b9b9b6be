#!/usr/bin/env node
import { runCommand } from './run-command.ts';

const stop = new AbortController();
// Once: a second signal kills the process, without waiting for cleanup.
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  output: process.stdout,
  signal: stop.signal,
  say: (text) => void process.stderr.write(`${text}\n`),
});
