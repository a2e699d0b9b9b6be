const started = Number(process.env['STARTED_AT'] ?? Date.now());

/** Elapsed time since the command was started, `m:ss`. */
function elapsed(): string {
  const seconds = Math.floor((Date.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Prints a line of progress with the elapsed time. */
export function log(text: string): void {
  console.log(`[${elapsed()}] ${text}`);
}

/** An error that the user can fix; shown as its message only, without a stack. */
export class UserError extends Error {}
