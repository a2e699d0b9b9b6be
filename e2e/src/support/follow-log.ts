import type { ChildProcess } from 'node:child_process';

/** A program's log. */
export interface FollowedLog {
  /** Waits for a line. */
  readonly logged: (matches: (line: Record<string, unknown>) => boolean) => Promise<Record<string, unknown>>;
  /** Its lines so far. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** All of it so far. */
  readonly text: () => string;
}

/** Reads a program's log of JSON lines as it is written. */
export function followLog(child: ChildProcess): FollowedLog {
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.startsWith('{')) lines.push(JSON.parse(part) as Record<string, unknown>);
    for (const check of waiting) check();
  });
  return {
    lines,
    text: () => [...lines.map((line) => JSON.stringify(line)), rest].join('\n'),
    logged: (matches) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = lines.find(matches);
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}
