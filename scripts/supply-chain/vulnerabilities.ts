// `npm run vulnerabilities`: asks the registry for known vulnerabilities in production dependencies. Exit code 0: none;
// 1: some; 2: unknown.
import { spawnSync } from 'node:child_process';
import { z } from 'zod';

const severities = ['critical', 'high', 'moderate', 'low', 'info'] as const;

const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.enum(severities), range: z.string() })),
});
const failure = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.object({ summary: z.string().min(1) }) }).transform(({ error }) => error.summary),
]);

/** Result of an audit. */
export type Audit =
  | {
      readonly kind: 'answered';
      readonly weak: readonly {
        readonly name: string;
        readonly severity: (typeof severities)[number];
        readonly range: string;
      }[];
    }
  /** The audit failed: the registry has no audits, or there is no network. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Parses the output of `npm audit --json`. Anything but a report is never treated as a clean result. */
export function readAudit(output: string): Audit {
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return { kind: 'unknown', reason: output.trim().split('\n').at(-1) || 'npm gave no output' };
  }
  const answered = report.safeParse(json);
  if (!answered.success)
    return { kind: 'unknown', reason: failure.safeParse(json).data ?? "npm's output wasn't understood" };
  const weak = Object.entries(answered.data.vulnerabilities).map(([name, { severity, range }]) => ({
    name,
    severity,
    range,
  }));
  return {
    kind: 'answered',
    weak: weak.toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.name.localeCompare(b.name),
    ),
  };
}

if (import.meta.main) {
  // In offline mode npm reports no vulnerabilities at all.
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--offline=false'], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const audit = error ? ({ kind: 'unknown', reason: error.message } as const) : readAudit(stdout);
  if (audit.kind === 'unknown') {
    console.error(
      `The audit failed, so vulnerabilities are unknown: ${audit.reason}\nUse a registry that supports audits: npm run vulnerabilities --registry=<its address>`,
    );
    process.exitCode = 2;
  } else {
    for (const { name, severity, range } of audit.weak) console.log(`${severity.padEnd(8)}  ${name} ${range}`);
    console.log(
      audit.weak.length === 0
        ? 'No known vulnerabilities in production dependencies.'
        : `${audit.weak.length} packages with known vulnerabilities; docs/security.md says what to fix by when.`,
    );
    process.exitCode = audit.weak.length === 0 ? 0 : 1;
  }
}
