// `npm run vulnerabilities`: asks the registry for known weaknesses of what runs in production. 0: none; 1: some; 2: nobody could say.
import { spawnSync } from 'node:child_process';
import { z } from 'zod';

const severities = ['critical', 'high', 'moderate', 'low', 'info'] as const;

const report = z.object({ vulnerabilities: z.record(z.string(), z.object({ severity: z.enum(severities), range: z.string() })) });
const refusal = z.union([z.object({ message: z.string() }).transform(({ message }) => message), z.object({ error: z.object({ summary: z.string().min(1) }) }).transform(({ error }) => error.summary)]);

/** What came of an audit. */
export type Audit =
  | { readonly kind: 'answered'; readonly weak: readonly { readonly name: string; readonly severity: (typeof severities)[number]; readonly range: string }[] }
  /** No audit was made: a registry that answers none, or no network. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Reads what `npm audit --json` has printed; what isn't a report is never taken for a clean one. */
export function readAudit(output: string): Audit {
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return { kind: 'unknown', reason: output.trim().split('\n').at(-1) || 'npm said nothing' };
  }
  const answered = report.safeParse(json);
  if (!answered.success) return { kind: 'unknown', reason: refusal.safeParse(json).data ?? 'npm answered in an unknown way' };
  const weak = Object.entries(answered.data.vulnerabilities).map(([name, { severity, range }]) => ({ name, severity, range }));
  return { kind: 'answered', weak: weak.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.name.localeCompare(b.name)) };
}

if (import.meta.main) {
  // Offline npm reports nothing, as if there were nothing.
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--offline=false'], { encoding: 'utf8', timeout: 120_000 });
  const audit = error ? ({ kind: 'unknown', reason: error.message } as const) : readAudit(stdout);
  if (audit.kind === 'unknown') {
    console.error(`No audit was made, so nothing is known about weaknesses: ${audit.reason}\nAsk a registry that answers audits: npm run vulnerabilities --registry=<its address>`);
    process.exitCode = 2;
  } else {
    for (const { name, severity, range } of audit.weak) console.log(`${severity.padEnd(8)}  ${name} ${range}`);
    console.log(audit.weak.length === 0 ? 'No known weaknesses in what runs in production.' : `${audit.weak.length} packages with known weaknesses; docs/security.md says what to mend when.`);
    process.exitCode = audit.weak.length === 0 ? 0 : 1;
  }
}
