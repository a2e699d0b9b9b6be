// Builds the images of a release with labels, and writes their bills of materials and the signed list.
import type { KeyObject } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../log.ts';
import { digestOf, writeList, type ReleaseList } from './signed-list.ts';
import { npmComponents, sbomOf, systemComponents, systemScript, type Component } from './sbom.ts';

/** A service of `docker compose config` that is built here. */
export interface BuiltService {
  readonly image: string;
  readonly build: { readonly dockerfile: string; readonly args?: Readonly<Record<string, string | undefined>> };
}

/** The part of Docker that a release needs. */
export interface ImageBuilder {
  /** Compose's services that are built here, with this version. */
  services(version: string): Promise<Readonly<Record<string, BuiltService>>>;
  /** Builds a service's image with labels. */
  build(service: string, version: string, labels: Readonly<Record<string, string>>): Promise<void>;
  /** @returns `undefined` if there is no such image */
  idOf(image: string): Promise<string | undefined>;
  /** Removes an image, if there is one. */
  remove(image: string): Promise<void>;
  /** Runs a shell script in an image. @returns its output */
  run(image: string, script: string): Promise<string>;
}

export interface Release {
  readonly version: string;
  /** The full hash. */
  readonly commit: string;
  /** The previous version. */
  readonly before: string;
}

/** The workspaces that an image is made from, as its Dockerfile gathers them. */
export function foldersOf({ build }: BuiltService): readonly string[] {
  const frontEnd = build.args?.['FRONT_END'];
  if (frontEnd !== undefined) return [frontEnd, 'packages/static-server'];
  return build.dockerfile.startsWith('docker/') ? [] : [dirname(build.dockerfile)];
}

/** `svc-clinic` for `registry.example/clinic/svc-clinic:0.2.0`. */
export const nameOf = (image: string): string => /([^/:]+):[^/]+$/.exec(image)?.[1] ?? image;

const labelsOf = (name: string, { version, commit }: Release): Record<string, string> => ({
  'org.opencontainers.image.title': name,
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.revision': commit,
});

/** One service for each image: backup and restore share one. */
function byImage(services: Readonly<Record<string, BuiltService>>): readonly (readonly [string, BuiltService])[] {
  const seen = new Set<string>();
  return Object.entries(services)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, { image }]) => !seen.has(image) && seen.add(image));
}

/**
 * Builds all images and writes what describes them into a folder. If it fails, it removes what it has built, so that it
 * can be repeated.
 *
 * @param npm - npm's packages of some workspaces
 * @throws UserError before anything is built, if an image of this version exists: no image is overwritten
 */
export async function buildRelease(
  release: Release,
  builder: ImageBuilder,
  key: KeyObject,
  folder: string,
  npm: (folders: readonly string[]) => readonly Component[] = npmComponents,
): Promise<ReleaseList> {
  const services = byImage(await builder.services(release.version));
  for (const [, { image }] of services)
    if ((await builder.idOf(image)) !== undefined)
      throw new UserError(`${image} exists already. A release is built once: raise the version.`);
  mkdirSync(join(folder, 'sbom'), { recursive: true });
  try {
    const images: ReleaseList['images'] = [];
    // One by one: BuildKit in older engines can panic over two builds that share their stages.
    for (const [service, built] of services) images.push(await buildOne(release, builder, folder, service, built, npm));
    const list: ReleaseList = { ...release, images };
    writeList(folder, list, key);
    return list;
  } catch (error) {
    for (const [, { image }] of services) await builder.remove(image);
    rmSync(folder, { recursive: true });
    throw error;
  }
}

async function buildOne(
  release: Release,
  builder: ImageBuilder,
  folder: string,
  service: string,
  built: BuiltService,
  npm: (folders: readonly string[]) => readonly Component[],
): Promise<ReleaseList['images'][number]> {
  const name = nameOf(built.image);
  await builder.build(service, release.version, labelsOf(name, release));
  const id = await builder.idOf(built.image);
  if (id === undefined) throw new Error(`${built.image} was built and isn't there`);
  const components = [...npm(foldersOf(built)), ...systemComponents(await builder.run(built.image, systemScript))];
  const document = `${JSON.stringify(sbomOf(name, release.version, id, components), null, 2)}\n`;
  const file = `sbom/${name}.cdx.json`;
  writeFileSync(join(folder, file), document);
  return { name, id, sbom: { file, sha256: digestOf(document) } };
}

/**
 * Compares the images on this machine with a list.
 *
 * @returns what is wrong; empty if they are the release's
 */
export async function wrongImages(list: ReleaseList, builder: ImageBuilder): Promise<readonly string[]> {
  const local = new Map(
    byImage(await builder.services(list.version)).map(([, { image }]) => [nameOf(image), image] as const),
  );
  const wrong: string[] = [];
  for (const { name, id } of list.images) {
    const image = local.get(name);
    const found = image === undefined ? undefined : await builder.idOf(image);
    if (found === undefined) wrong.push(`${name}: this machine doesn't have ${image ?? 'the image'}`);
    else if (found !== id) wrong.push(`${name}: ${image} is ${found}, signed was ${id}`);
  }
  return wrong;
}
