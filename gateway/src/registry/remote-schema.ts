import { roles } from '@clinic/contracts/roles';
import type { RegisteredRemote, RemoteDescriptor } from '@clinic/contracts/remotes';
import { acceptDescriptor } from '@clinic/contracts/window/remotes';
import { z } from 'zod';

const role = z.enum(roles);
/**
 * A path on this site: no `//host`, which browsers treat as another site, and no dot segments. Parameter names become
 * part of a regular expression.
 */
const path = z
  .string()
  .max(200)
  .regex(
    /^\/$|^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.-]+|:[A-Za-z_]\w*))+$/,
    'must be a route path, without // and dot segments',
  )
  .refine((value) => new Set(parametersOf(value)).size === parametersOf(value).length, 'must name each parameter once');
/** Relative, inside the remote's own folder. */
const file = z.string().regex(/^(?!.*\.\.)(?!.*\/\/)[\w@.-][\w@./-]*$/, 'must be a relative path');
const digest = z.string().regex(/^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}$/, 'must be a digest');
const hashFile = z.object({ file, integrity: digest });

/** A description by https://schema.org. */
export const fact = z.object({ '@type': z.string() }).catchall(z.json());

const parametersOf = (value: string): string[] => [...value.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** What a remote may publish about itself. Validated, because other people deploy remotes at other times. */
export const remoteDescriptorSchema: z.ZodType<RemoteDescriptor> = z
  .object({
    name: z.string(),
    container: z.string().regex(/^[A-Za-z_]\w*$/, 'must be an identifier'),
    version: z.string().max(100),
    contractVersion: z.int(),
    title: z.string().max(100),
    pages: z.array(
      z.object({
        path,
        layout: z.enum(['public', 'guarded', 'dash']),
        access: z.union([z.literal('everyone'), z.literal('signedIn'), z.array(role)]),
        rights: z.array(z.string().max(40)).optional(),
        demo: z.literal(true).optional(),
        title: z.string(),
        description: z.string().max(300).optional(),
        facts: z.array(fact).max(20).optional(),
        insteadFor: z.partialRecord(role, path).optional(),
        openedFrom: z.union([path, z.partialRecord(role, path)]).optional(),
        menu: z
          .array(
            z.object({
              label: z.string(),
              roles: z.array(role),
              rights: z.array(z.string().max(40)).optional(),
              order: z.number(),
              icon: z.string(),
              group: z.string().max(40).optional(),
            }),
          )
          .optional(),
        expose: z.string().max(200).optional(),
        topBar: z.object({ label: z.string().max(40), order: z.number() }).optional(),
      }),
    ),
    // An unknown parameter would leave an empty segment in the target.
    redirects: z.array(
      z
        .object({ from: path, to: path })
        .refine(
          ({ from, to }) => parametersOf(to).every((name) => parametersOf(from).includes(name)),
          'must use the parameters of from only',
        ),
    ),
    entry: file.optional(),
    preload: z.array(file),
    pagePreload: z.record(path, z.array(file)).optional(),
    htmlPreload: z.record(path, z.array(file)).optional(),
    pageLibraries: z.record(path, z.array(z.string().max(100))).optional(),
    styles: z.array(file),
    integrity: z.record(file, digest),
    hashes: hashFile.optional(),
    html: z.record(path, z.union([hashFile, z.literal('rendered')])).optional(),
    slots: z
      .array(z.object({ slot: z.string().regex(/^[a-z][a-z-]*$/, 'must be a lower-case name'), order: z.number() }))
      .optional(),
  })
  .check(({ value: { entry, preload, pagePreload = {}, htmlPreload = {}, styles, integrity }, issues }) => {
    const unnamed = [
      ...(entry === undefined ? [] : [entry]),
      ...preload,
      ...styles,
      ...Object.values(pagePreload).flat(),
      ...Object.values(htmlPreload).flat(),
    ].filter((name) => !Object.hasOwn(integrity, name));
    if (unnamed.length > 0)
      issues.push({
        code: 'custom',
        input: integrity,
        path: ['integrity'],
        message: `must have the digest of ${[...new Set(unnamed)].join(', ')}`,
      });
  });

/** @throws Error if this isn't a valid `remote.json` of this remote */
export function remoteOf(name: string, text: string): RegisteredRemote {
  const { success, data, error } = remoteDescriptorSchema.safeParse(acceptDescriptor(JSON.parse(text)));
  if (!success) throw new Error(`remote.json is invalid: ${z.prettifyError(error).replaceAll('\n', ' ')}`);
  if (data.name !== name) throw new Error(`remote.json belongs to ${data.name}`);
  return { ...data, baseUrl: `/mf/${name}/` };
}
