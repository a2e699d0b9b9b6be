// `npm run verify:claims`: checks that each test named as proof in the documents exists, and has run and passed in its
// current version.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../log.ts';
import { root } from '../stack/settings.ts';
import { digestOf, readRan, type RanFiles } from '../test/ran.ts';

/** A test named in a document. */
export interface Claim {
  /** Place in the document, e.g. `docs/security.md:120`. */
  readonly place: string;
  /** What it proves: the first cell of its row, or empty in running text. */
  readonly what: string;
  /** Path relative to the repository's root. */
  readonly file: string;
}

const testFile = /`([\w.-]+(?:\/[\w.-]+)+\.(?:test\.tsx?|e2e\.ts))`/g;

/** The tests named in a document. */
export function claimsOf(document: string, text: string): Claim[] {
  return text.split('\n').flatMap((line, at) => {
    const [, what = ''] = /^\|\s*([^|]*?)\s*\|/.exec(line) ?? [];
    return [...line.matchAll(testFile)].map(([, file = '']) => ({ place: `${document}:${at + 1}`, what, file }));
  });
}

const allSkipped = 'all of its tests were skipped';

/** Why a claim doesn't hold; `undefined` if it does. */
export function objection({ file }: Claim, ran: RanFiles): string | undefined {
  if (!existsSync(join(root, file))) return 'there is no such file';
  const run = ran[file];
  if (!run) return 'it has not run';
  if (run.sha256 !== digestOf(join(root, file))) return `it was changed since it ran (${run.at})`;
  if (run.failed > 0) return `${run.failed} of its tests failed (${run.at})`;
  if (run.passed === 0) return run.skipped > 0 ? allSkipped : 'it has no tests';
  return undefined;
}

/** All claims in the project's documents. */
export function allClaims(): Claim[] {
  return globSync('docs/**/*.md', { cwd: root })
    .toSorted()
    .flatMap((document) => claimsOf(document, readFileSync(join(root, document), 'utf8')));
}

/** How many claims hold, and how many don't. */
interface Verified {
  readonly held: number;
  readonly open: number;
  /** Those whose tests this machine skips, because it lacks what they need. */
  readonly skipped: number;
}

/** Prints the claims that don't hold. @param isMeant - whether the claims of a test file are checked */
export function verifyClaims(isMeant: (file: string) => boolean = () => true, ran = readRan()): Verified {
  const claims = allClaims().filter(({ file }) => isMeant(file));
  const objections = claims.flatMap((claim) => {
    const why = objection(claim, ran);
    return why === undefined ? [] : [{ claim, why }];
  });
  for (const { claim, why } of objections)
    log(`${claim.place}${claim.what === '' ? '' : ` (${claim.what})`}: ${claim.file}: ${why}`);
  const skipped = objections.filter(({ why }) => why === allSkipped).length;
  return { held: claims.length - objections.length, open: objections.length - skipped, skipped };
}

if (import.meta.main) {
  const { held, open } = verifyClaims();
  const advice = 'Run npm test and npm test -- rest, which record the results, and try again.';
  log(`${held} claims hold, ${open} don't. ${open > 0 ? advice : ''}`.trim());
  process.exitCode = open > 0 ? 1 : 0;
}
