import type { PageDescriptor } from '@clinic/contracts/pages';
import type { LaterFile, LaterFiles, RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import { dataBlock, escapeHtml } from './page-head.ts';
import { registryPathOf } from './page-registry.ts';

// The shell's page has two parts for pages as HTML, which other pages leave out: the frame, which its build has rendered with its
// own components (shell/src/html.tsx), and a link to the starter (shell/src/start), the only script that runs at first.

const frameOf = /[ \n]*<template id="frame">(.*?)<\/template>/s;
const starterOf = / *<link ([^>]*)data-for="html"[^>]*>\n/;

/** Scripts that the page can do without at first, what is preloaded for them, and what is said without them. */
const laterScripts = / *<script defer ([^>]*)><\/script>\n/g;
const preloadLinks = / *<link rel="preload" ([^>]*as="(?:script|style)"[^>]*)>\n/g;
const withoutScripts = / *<noscript>.*?<\/noscript>\n/s;

interface PageParts {
  readonly page: PageDescriptor;
  readonly remote: RegisteredRemote;
  readonly registry: Registry;
  /** The remote's part. */
  readonly html: string;
  /** The calls that it was rendered with. */
  readonly calls: readonly string[];
}

/** Whether a shell can show pages as HTML; those of earlier releases can't. */
export function takesHtml(shell: string): boolean {
  return shell.includes('<template id="frame">') && shell.includes('data-for="html"');
}

/**
 * Puts a remote's HTML into the shell's frame, and the frame into the page. What the page would load for its scripts is left to
 * the starter ({@link LaterFiles}).
 *
 * @param shell - the shell's page with its head
 */
export function pageAsHtml(shell: string, parts: PageParts): string {
  const { remote, html, calls } = parts;
  const registry = registryPathOf(parts.page.path);
  const scripts: LaterFiles['scripts'][number][] = [];
  const preloads: LaterFiles['preloads'][number][] = [];
  const starter = fileOf(starterOf.exec(shell)?.[1] ?? '');
  const frame = frameOf.exec(shell)?.[1] ?? '';
  const shown = shell
    .replace(starterOf, '')
    .replace(frameOf, '')
    .replace(withoutScripts, '')
    .replaceAll(laterScripts, (_, attributes: string) => {
      scripts.push(fileOf(attributes));
      return '';
    })
    .replaceAll(preloadLinks, (_, attributes: string) => {
      // Its stylesheets are in the head.
      if (!attributes.includes('as="style"')) preloads.push({ ...fileOf(attributes), as: 'script' });
      return '';
    });
  const head = [
    ...remote.styles.map(
      // By `data-href` the remote's loader knows its stylesheet, and doesn't load it again.
      (file) =>
        `<link rel="stylesheet" href="${remote.baseUrl}${file}" data-href="${file}"${checked(remote.integrity?.[file])}>`,
    ),
    `<script src="${starter.href}"${checked(starter.integrity)}></script>`,
    dataBlock('later-scripts', { scripts, preloads, registry, calls } satisfies LaterFiles),
  ];
  const content = filled(frame, parts).replace('__page__', () => html);
  const page = `<div id="page" data-remote="${remote.name}" data-version="${escapeHtml(remote.version)}">${content}</div>`;
  return shown
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root">', (root) => `${page}\n    ${root}`);
}

/** The shell's page as it is without HTML. */
export function withoutHtmlParts(shell: string): string {
  return shell.replace(frameOf, '');
}

function fileOf(attributes: string): LaterFile {
  const [, href = ''] = /(?:href|src)="([^"]*)"/.exec(attributes) ?? [];
  const [, integrity] = /integrity="([^"]*)"/.exec(attributes) ?? [];
  return { href, integrity };
}

const checked = (digest: string | undefined): string => (digest === undefined ? '' : ` integrity="${digest}"`);

/** The frame's menu has one entry, which is repeated for those that remotes publish for everybody. */
function filled(frame: string, { page, remote, registry }: PageParts): string {
  const entries = registry.remotes
    .flatMap(({ pages }) => pages)
    .flatMap(({ path, access, topBar }) => (topBar && access === 'everyone' ? [{ path, ...topBar }] : []))
    .toSorted((a, b) => a.order - b.order);
  const menu = frame.replace(/<li>(?:(?!<\/li>).)*__label__.*?<\/li>/s, (entry) =>
    entries
      .map(({ path, label }) => entry.replace('/__path__', () => path).replace('__label__', () => escapeHtml(label)))
      .join(''),
  );
  const open = `href="${page.path}"`;
  return menu
    .replace(/<nav .*?<\/nav>/s, (nav) => nav.replace(open, () => `aria-current="page" ${open}`))
    .replace('__remote__', () => remote.name);
}
