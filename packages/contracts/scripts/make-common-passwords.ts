/**
 * Writes `src/common-passwords.ts`: `node scripts/make-common-passwords.ts` in packages/contracts, after an update of
 * @zxcvbn-ts/language-common.
 *
 * That package's list is 200 KB, compressed, which is too much for a phone that registers. Its most frequent part is 30 KB.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commonPasswordsFrom } from './pick-common-passwords.ts';

const passwords = commonPasswordsFrom();
const text = `// Written by scripts/make-common-passwords.ts from @zxcvbn-ts/language-common (MIT): the ${passwords.length.toLocaleString('en')} passwords that people choose most, in lower case.
export const commonPasswords: ReadonlySet<string> = new Set(
  ${JSON.stringify(passwords.join('\n'))}.split('\\n'),
);
`;
writeFileSync(path.join(import.meta.dirname, '../src/common-passwords.ts'), text);
