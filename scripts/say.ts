const started = Number(process.env['STARTED_AT'] ?? Date.now());

/** Elapsed time since the command was given, `m:ss`. */
function elapsed(): string {
  const seconds = Math.floor((Date.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** One line of progress, with the time since the command was given. */
export function say(text: string): void {
  console.log(`[${elapsed()}] ${text}`);
}

/** A mistake that the person at the terminal can mend: shown as its message alone, without a stack. */
export class UserError extends Error {}
