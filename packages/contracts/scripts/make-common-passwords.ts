/**
 * Writes `src/common-passwords.ts`. Run `node scripts/make-common-passwords.ts` in packages/contracts after updating
 * @zxcvbn-ts/language-common.
 *
 * The package's whole list is 200 KB compressed, too much to load on a phone during registration. Its most frequent part is 30 KB.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commonPasswordsFrom } from './pick-common-passwords.ts';

const passwords = commonPasswordsFrom();
const text = `// Written by scripts/make-common-passwords.ts from @zxcvbn-ts/language-common (MIT): the ${passwords.length.toLocaleString('en')} most common passwords, in lower case.
export const commonPasswords: ReadonlySet<string> = new Set(
  ${JSON.stringify(passwords.join('\n'))}.split('\\n'),
);
`;
writeFileSync(path.join(import.meta.dirname, '../src/common-passwords.ts'), text);
