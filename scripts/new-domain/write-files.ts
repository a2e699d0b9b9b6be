import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Domain } from './domain.ts';

const templates = join(import.meta.dirname, 'templates');
const suffix = '.tpl';

/** Libraries used by the templates; a new domain gets the installed versions. */
const libraries = [
  'express',
  'mongodb',
  'p-wait-for',
  'react',
  'react-dom',
  'react-hook-form',
  'react-router-dom',
  'zod',
] as const;

/** Where templates come from, and where the files go. */
interface Filling {
  readonly domain: Domain;
  /** Folder of the repository, whose libraries are installed. */
  readonly root: string;
  /** Folder to write to. */
  readonly folder: string;
  /** Version of the kit. */
  readonly kit: string;
}

/**
 * Fills a folder of templates: `{{word}}`, also in file names, is replaced by the value from {@link wordsOf}.
 *
 * @param into - folder to write to, relative to `filling.folder`
 * @param included - leaves out files by their path below the templates
 * @returns the files, relative to `filling.folder`
 */
export function writeTemplates(
  of: string,
  into: string,
  filling: Filling,
  included: (file: string) => boolean = () => true,
): string[] {
  const words = wordsOf(filling);
  const fill = (text: string, file: string): string =>
    text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, word: string) => {
      const filled = words.get(word);
      if (filled === undefined) throw new Error(`${file} has an unknown placeholder {{${word}}}`);
      return filled;
    });
  return readdirSync(join(templates, of), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix) && included(file.slice(0, -suffix.length)))
    .toSorted()
    .map((file) => {
      const target = join(into, fill(file.slice(0, -suffix.length), file));
      mkdirSync(dirname(join(filling.folder, target)), { recursive: true });
      // Never overwrite a file.
      writeFileSync(join(filling.folder, target), fill(readFileSync(join(templates, of, file), 'utf8'), file), {
        flag: 'wx',
      });
      return target;
    });
}

/**
 * Writes the folders of a domain and its Compose file from the templates.
 *
 * @param root - folder of the repository
 * @param kit - version of the packages in `packages/`
 * @returns the files, relative to the root
 */
export function writeFiles(domain: Domain, root: string, kit: string): string[] {
  const filling = { domain, root, folder: root, kit };
  return [
    ...writeTemplates('svc', `svc-${domain.name}`, filling),
    ...writeDockerfile(domain, root),
    ...writeTemplates('mf', `mf-${domain.name}`, filling),
    ...writeTemplates('root', '', filling),
    ...writeKubernetes(domain, root),
  ];
}

/** Derives the service's and the remote's objects for Kubernetes from the pharmacy's, and adds what both need. */
function writeKubernetes({ name, title }: Domain, root: string): string[] {
  const models = join(root, 'deploy/kubernetes/base');
  if (!existsSync(models)) return [];
  const folder = join('deploy/kubernetes/domains', name);
  mkdirSync(join(root, folder), { recursive: true });
  const write = (file: string, text: string): string => {
    writeFileSync(join(root, folder, file), text, { flag: 'wx' });
    return join(folder, file);
  };
  return [
    ...(['svc', 'mf'] as const).map((kind) => {
      const [, ...lines] = readFileSync(join(models, `${kind}-pharmacy.yaml`), 'utf8').split('\n');
      const text = lines
        .join('\n')
        .replaceAll(/\b(svc|mf|mongo)-pharmacy\b/g, `$1-${name}`)
        .replaceAll('4003', '4000');
      return write(`${kind}-${name}.yaml`, `# ${title}.\n${text}`);
    }),
    write(
      `svc-${name}.env`,
      `MONGODB_DATABASE=${name}\nMONGODB_USER=${name}\nMONGODB_PASSWORD_FILE=/run/secrets/mongo-${name}\n`,
    ),
    write('kustomization.yaml', kustomization(name, title)),
  ];
}

function kustomization(name: string, title: string): string {
  return `# ${title} in Kubernetes, together with all others (deploy/kubernetes/README.md). In your overlay:
#
#   components: [../domains/${name}]
#   configMapGenerator:
#     - name: gateway
#       behavior: merge
#       literals:
#         - EXTRA_SERVICES=,${name}=http://svc-${name}:4000
#         - EXTRA_REMOTES=,mf-${name}=http://mf-${name}:8080
#   images:
#     - { name: clinic/svc-${name}, newName: registry.example/clinic/svc-${name}, newTag: '1.0.0' }
#     - { name: clinic/mf-${name}, newName: registry.example/clinic/mf-${name}, newTag: '1.0.0' }
#     - { name: clinic/mf-${name}-before, newName: registry.example/clinic/mf-${name}, newTag: '1.0.0' }
#
# (further domains follow in the same lines). Add the password to the secrets as mongo-${name}, and make the database user ${name}.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
namespace: clinic
resources:
  - svc-${name}.yaml
  - mf-${name}.yaml
configMapGenerator:
  - name: svc-${name}
    envs: [svc-${name}.env]
`;
}

/** Derives the service's Dockerfile from the pharmacy's, so that there is one description to maintain. */
function writeDockerfile({ name, title }: Domain, root: string): string[] {
  const model = join(root, 'svc-pharmacy', 'Dockerfile');
  if (!existsSync(model)) return [];
  const lines = readFileSync(model, 'utf8').split('\n');
  // Without the comment that says which service it is.
  const rest = lines.slice(lines.findIndex((line) => line.startsWith('ARG NODE_IMAGE='))).join('\n');
  const target = join(`svc-${name}`, 'Dockerfile');
  writeFileSync(
    join(root, target),
    `# ${title}: Node runs the TypeScript directly. Built from the repository's root.\n${rest
      .replaceAll('svc-pharmacy', `svc-${name}`)
      .replaceAll('4003', '4000')}`,
    { flag: 'wx' },
  );
  return [target];
}

/** The version of a library that is installed in the repository. */
export function versionOf(library: string, root: string): string {
  const manifest = readFileSync(join(root, 'node_modules', library, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function wordsOf({ domain: { name, title, roles }, root, kit }: Filling): ReadonlyMap<string, string> {
  const pascal = name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return new Map([
    ['name', name],
    ['kit', kit],
    ['Name', pascal],
    ['NAME', name.replaceAll('-', '_').toUpperCase()],
    ['camel', pascal.charAt(0).toLowerCase() + pascal.slice(1)],
    ['title', title],
    ['database', name],
    ['roles', roles.map((role) => `'${role}'`).join(', ')],
    ['firstRole', `'${roles[0] ?? 'admin'}'`],
    ['audience', new Intl.ListFormat('en').format(roles.map((role) => `${role}s`))],
    ...libraries.map((library) => [library, versionOf(library, root)] as const),
  ]);
}
