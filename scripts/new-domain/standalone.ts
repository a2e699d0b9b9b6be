// A domain in a repository of its own: the templates' two folders with what the clinic's repository otherwise has.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Domain, Standalone } from './domain.ts';
import { versionOf, writeTemplates } from './write-files.ts';

/** What the tests and checks of both folders use. */
const tools = [
  '@swc/jest',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  '@types/jest',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'jest',
  'jest-environment-jsdom',
  // npm's scripts run on it, whatever the machine has.
  'node',
  'oxfmt',
  'oxlint',
  'oxlint-tsgolint',
  'typescript',
] as const;

/** Packages that come with the kit's libraries, and that none of our code uses. */
const overridden = ['@module-federation/enhanced', '@module-federation/rspack', 'firebase'] as const;

/** Files that are the same in both repositories. */
const shared = ['.editorconfig', 'docker/healthy', 'tsconfig.base.json', 'tsconfig.web.json'] as const;

/** Files of the workspace's templates that differ in a repository of its own, or aren't needed there. */
const replaced = /^(?:deploy\/.*|Dockerfile|README\.md|package\.json)$/;

/**
 * Writes the repository of a domain.
 *
 * @param root - folder of the clinic's repository
 * @param into - absolute path of the new one, which is empty or doesn't exist; version of the kit to install, and the
 *   registry that has it
 * @returns the files, relative to the new folder
 */
export function writeStandalone(
  domain: Domain,
  root: string,
  { folder, kit, registry }: Standalone & { readonly kit: string },
): string[] {
  mkdirSync(folder, { recursive: true });
  const svc = `svc-${domain.name}`;
  const mf = `mf-${domain.name}`;
  const from = { domain, root, folder, kit };
  const written = [
    ...writeTemplates('svc', svc, from, (file) => !replaced.test(file)),
    ...writeTemplates('mf', mf, from, (file) => !replaced.test(file)),
    ...writeTemplates('standalone/svc', svc, from),
    ...writeTemplates('standalone/mf', mf, from),
    ...writeTemplates('standalone/root', '', from),
  ];
  for (const file of shared) cpSync(join(root, file), join(folder, file));
  const json: Readonly<Record<string, object>> = {
    'package.json': standaloneManifest(domain, root, kit),
    '.oxlintrc.json': lintRules(root),
    '.oxfmtrc.json': { printWidth: 120, singleQuote: true, ignorePatterns: ['**/dist/**', '**/*.md'] },
  };
  for (const [file, content] of Object.entries(json))
    writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
  writeFileSync(join(folder, '.npmrc'), npmrcOf(registry), { flag: 'wx' });
  return [...written, ...shared, ...Object.keys(json), '.npmrc'];
}

/**
 * npm's configuration, which is committed: without a registry for the scope npm would take `@clinic/…` from its default
 * one, where anybody may have published packages of that name. The lock file names no registry, so that another one can
 * serve the same files. No package may run anything while it is installed, unless the manifest allows it by name.
 */
const npmrcOf = (registry: string): string =>
  `@clinic:registry=${registry}\nomit-lockfile-registry-resolved=true\nsave-exact=true\nstrict-allow-scripts=true\n`;

/** `package.json` of a domain's own repository. */
function standaloneManifest({ name, title }: Domain, root: string, kit: string) {
  const { overrides, engines, allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    overrides: Readonly<Record<string, object>>;
    engines: object;
    allowScripts: object;
  };
  const both = [`svc-${name}`, `mf-${name}`];
  return {
    name,
    version: '1.0.0',
    private: true,
    description: `${title}, a domain of the clinic`,
    type: 'module',
    workspaces: both,
    scripts: {
      build: `npm run build -w mf-${name}`,
      check: 'npm run typecheck && npm run lint && npm run format:check',
      typecheck: both.map((folder) => `tsc -p ${folder}`).join(' && '),
      lint: 'oxlint --type-aware --deny-warnings',
      format: 'oxfmt',
      'format:check': 'oxfmt --check',
      test: 'npm test --workspaces',
    },
    // What the image of the screens runs.
    dependencies: { '@clinic/static-server': kit },
    devDependencies: Object.fromEntries(tools.map((tool) => [tool, versionOf(tool, root)])),
    overrides: Object.fromEntries(overridden.map((library) => [library, overrides[library]])),
    engines,
    allowScripts,
  };
}

/** The clinic's own rules; exceptions for its files aren't needed. */
function lintRules(root: string): object {
  const text = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  const { plugins, categories, rules, overrides } = JSON.parse(text) as {
    plugins: unknown;
    categories: unknown;
    rules: unknown;
    overrides: readonly { readonly files: readonly string[] }[];
  };
  return {
    plugins,
    categories,
    rules,
    overrides: overrides.filter(({ files }) => files.every((file) => file.startsWith('**/'))),
    ignorePatterns: ['**/dist/**', '**/.cache/**'],
  };
}
