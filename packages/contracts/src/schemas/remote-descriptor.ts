import { z } from 'zod';
import type { ReadonlyDeep } from '../readonly-deep.ts';
import { roles } from '../roles.ts';

const role = z.enum(roles);
const right = z.string().max(40);
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
/** Relative to `remote.json`, inside the remote's own folder. */
const file = z.string().regex(/^(?!.*\.\.)(?!.*\/\/)[\w@.-][\w@./-]*$/, 'must be a relative path');
/** A hash as in https://www.w3.org/TR/SRI/, e.g. `sha384-…`. */
const digest = z.string().regex(/^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}$/, 'must be a digest');

const parametersOf = (value: string): string[] => [...value.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

type FactValue = string | number | boolean | null | readonly FactValue[] | { readonly [property: string]: FactValue };

/** A thing as https://schema.org describes it, in JSON-LD without its context. Addresses may be relative to the site. */
export interface PageFact {
  readonly '@type': string;
  readonly [property: string]: FactValue;
}
export const pageFact: z.ZodType<PageFact> = z.object({ '@type': z.string() }).catchall(z.json());

/** An entry of the dashboard's menu. */
const menuEntry = z.object({
  label: z.string(),
  roles: z.array(role),
  /** It is also in the menu of whoever holds one of these rights. */
  rights: z.array(right).optional(),
  order: z.number(),
  /** Name of the icon in the design system. */
  icon: z.string(),
  /**
   * The kind of work it belongs to, as the heading above it says: Today, Care, Pharmacy, People, Clinic, or a word of
   * the remote's own. Entries without one come first, without a heading.
   */
  group: z.string().max(40).optional(),
});

/** A page that a remote offers. */
const pageDescriptor = z.object({
  /** Route path as the router writes it, e.g. `/appoinment/:_id`. */
  path,
  /**
   * The frame the shell puts around a page: `public` has the public top bar, `guarded` adds the login guard, and `dash`
   * is the dashboard with its menu, behind the login guard.
   */
  layout: z.enum(['public', 'guarded', 'dash']),
  /** Who may open a page: everyone, every signed-in user, or the named roles. */
  access: z.union([z.literal('everyone'), z.literal('signedIn'), z.array(role)]),
  /** Whoever holds one of these rights may open it, too, whatever their role. */
  rights: z.array(right).optional(),
  /** Exists in demos only: elsewhere the gateway leaves it out of the registry. */
  demo: z.literal(true).optional(),
  /** For the document title. */
  title: z.string(),
  /**
   * One or two sentences about the page for link previews and search engines, which only list public pages that have
   * them.
   */
  description: z.string().max(300).optional(),
  /** What the page is about, for search engines, which read it in its HTML. The clinic itself is `/#clinic`. */
  facts: z.array(pageFact).max(20).optional(),
  /** Where to send a role without access, instead of the 'not for you' page. */
  insteadFor: z.partialRecord(role, path).optional(),
  /**
   * The page it is opened from, for roles whose menu doesn't have it: the menu marks that page, and a link leads back to it.
   * Without one, the role's first page.
   */
  openedFrom: z.union([path, z.partialRecord(role, path)]).optional(),
  /** Entries in the dashboard menu, lowest `order` first. */
  menu: z.array(menuEntry).optional(),
  /**
   * Name of the exposed module with the page's screen, e.g. `./pages/about`; written by the remote's build. Builds from
   * before pages were exposed have none: their screens are routes of `./module`.
   */
  expose: z.string().max(200).optional(),
  /**
   * Entry in the public top bar, for people who may open the page: after Home and Dashboard, before Login, lowest `order` first.
   * Its path has no parameters.
   */
  topBar: z.object({ label: z.string().max(40), order: z.number() }).optional(),
});
export type PageDescriptor = ReadonlyDeep<z.output<typeof pageDescriptor>>;

/** A correctly spelled or expected address that redirects to the specified one, of the same remote. */
const redirect = z.object({ from: path, to: path }).refine(
  // An unknown parameter would leave an empty segment in the target.
  ({ from, to }) => parametersOf(to).every((name) => parametersOf(from).includes(name)),
  'must use the parameters of from only',
);
export type Redirect = ReadonlyDeep<z.output<typeof redirect>>;

/** A file of a build, whose name changes with its content, and its own hash. */
const hashFile = z.object({ file, integrity: digest });
export type HashFile = ReadonlyDeep<z.output<typeof hashFile>>;

/**
 * A remote's part of a page that belongs to another remote. The page opens a slot by name and doesn't know who fills
 * it; at run time the shell collects what the registered remotes publish under that name.
 */
const slotContribution = z.object({
  /** The slot's name, e.g. `overview`. */
  slot: z.string().regex(/^[a-z][a-z-]*$/, 'must be a lower-case name'),
  /** Lowest first, among the contributions of all remotes. */
  order: z.number(),
});
export type SlotContribution = ReadonlyDeep<z.output<typeof slotContribution>>;

/**
 * What a remote publishes about itself as `remote.json` beside its files (docs/decisions/0002). Written by its build, and validated
 * by gateways, because other people deploy remotes at other times.
 */
export const remoteDescriptor = z
  .object({
    /** Name of the deployed app, e.g. `mf-clinic`. */
    name: z.string(),
    /** Name of the federation container, e.g. `mf_clinic`. */
    container: z.string().regex(/^[A-Za-z_]\w*$/, 'must be an identifier'),
    /** Version of this build: package version and a digest of the files. */
    version: z.string().max(100),
    contractVersion: z.int(),
    /** The remote's name for people, e.g. in the panel that says it is unavailable. */
    title: z.string().max(100),
    pages: z.array(pageDescriptor),
    redirects: z.array(redirect),
    /** The container's entry script. Builds by webpack's own container plugin have none. */
    entry: file.optional(),
    /**
     * Scripts for shells and gateways from before `entry`, which preload and run them; the container first. Today's builds list a
     * script that asks for a newer shell, because such a shell has no federation runtime.
     */
    preload: z.array(file),
    /**
     * Scripts of each page besides the entry, by its route path. The build's `mf-manifest.json` lists them too; they are repeated
     * here so that the gateway, which preloads them for the first page, reads a single file that changes atomically.
     */
    pagePreload: z.record(path, z.array(file)).optional(),
    /**
     * Scripts that a page which arrives as HTML needs besides, by its route path: of parts that it otherwise loads late, and that
     * the HTML has.
     */
    htmlPreload: z.record(path, z.array(file)).optional(),
    /** The shell's libraries that each page needs and that aren't loaded for all, by its route path. */
    pageLibraries: z.record(path, z.array(z.string().max(100))).optional(),
    /** Stylesheets. */
    styles: z.array(file),
    /** The hash of each script and stylesheet: a browser doesn't run a file that was altered on its way. */
    integrity: z.record(file, digest),
    /**
     * The file with `integrity`, in JSON, for builds whose loaders wait for it: the gateway then writes only the hashes of the
     * opened page into the HTML.
     */
    hashes: hashFile.optional(),
    /**
     * Pages that visitors without a session get as HTML, by route path (docs/decisions/0021): the file of a page that is always the
     * same, and `rendered` for one that the remote's server renders on request. Builds of earlier kits have none.
     */
    html: z.record(path, z.union([hashFile, z.literal('rendered')])).optional(),
    /** What the remote adds to other remotes' pages. Builds from before slots existed have none. */
    slots: z.array(slotContribution).optional(),
  })
  .check(({ value: { entry, preload, pagePreload = {}, htmlPreload = {}, styles, integrity }, issues }) => {
    const named = [entry ?? [], preload, styles, Object.values(pagePreload), Object.values(htmlPreload)].flat(2);
    const unhashed = new Set(named.filter((name) => !Object.hasOwn(integrity, name)));
    if (unhashed.size > 0)
      issues.push({
        code: 'custom',
        input: integrity,
        path: ['integrity'],
        message: `must have the digest of ${[...unhashed].join(', ')}`,
      });
  });
export type RemoteDescriptor = ReadonlyDeep<z.output<typeof remoteDescriptor>>;
