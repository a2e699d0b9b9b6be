// The commands that README, docs and the parts' READMEs name.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stack/settings.ts';

/** A command of a document. */
export interface Command {
  /** The document, relative to the root. */
  readonly file: string;
  /** One program with its arguments, without settings, pipes and comments. */
  readonly words: readonly string[];
  /** As it stands there. */
  readonly text: string;
  /** Whether it runs in a domain's own repository, which its line goes to first. */
  readonly isElsewhere: boolean;
}

/** Programs whose lines in a document are commands. */
const programs =
  /^(?:[A-Z_]+=\S* )*(?:sudo )?(?:(?:npm|npx|node|git|openssl|umask|export|curl|static-server|clinic-webpack)(?= )|docker (?:compose|build|buildx|stack)|docker\/\S+\.sh)/;

/** Documents whose commands must work. Not the changelog, whose old entries name old commands. */
function documents(): string[] {
  const found = globSync(
    ['*.md', 'docs/**/*.md', '{shell,gateway,e2e,bench,system-tests,svc-*,mf-*,packages/*,stand-ins/*,docker}/*.md'],
    { cwd: root, exclude: (path) => path.endsWith('node_modules') },
  );
  return found.filter((file) => file !== 'CHANGELOG.md').toSorted();
}

/** Every command of the documents, in the order of their files. */
export function commandsOfDocs(): Command[] {
  return documents().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const blocks = text.split('\n').flatMap((line) => /^ {4}(\S.*)$/.exec(line)?.[1] ?? []);
    const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
    return [...blocks, ...inline].flatMap((line) =>
      commandsIn(line).map((words) => ({ file, words, text: line.trim(), isElsewhere: line.startsWith('cd ../') })),
    );
  });
}

/** The commands of a line: `a && b | c   # comment` has two that are the project's own. */
function commandsIn(line: string): string[][] {
  const parts = line
    .replace(/\s+#\s.*$/, '')
    .split(/ (?:&&|\|\||\||;) |; /)
    .map((part) => part.trim());
  return parts.filter((part) => programs.test(part)).map(wordsOf);
}

/** Words as a shell splits them, without settings before and redirections after the command. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const end = words.findIndex((word) => /^[<>]/.test(word));
  return words.slice(first, end === -1 ? undefined : end);
}
