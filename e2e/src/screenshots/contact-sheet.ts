import type { Screen } from './screens.ts';

/** One screen's pictures; a picture's name has its width and theme. */
export interface Taken {
  readonly screen: Screen;
  readonly files: readonly { readonly file: string; readonly label: string }[];
  /** Why it couldn't be taken. */
  readonly failure?: string | undefined;
}

/** A page with all pictures, by visitor, that opens without a server. */
export function contactSheet(taken: readonly Taken[], at: Date): string {
  const visitors = [...new Set(taken.map(({ screen }) => screen.as))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screens of the clinic</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; background: #f2f2f2; color: #111 }
  section { margin-bottom: 3rem }
  article { margin: 1rem 0 2rem; overflow-x: auto }
  .row { display: flex; gap: 1rem; align-items: flex-start }
  figure { margin: 0 }
  img { display: block; max-height: 26rem; border: 1px solid #bbb; background: #fff }
  .failed { color: #a00 }
</style>
<h1>Screens of the clinic</h1>
<p>${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${taken.length} screens. Open a picture to see it whole.</p>
<nav>${visitors.map((as) => `<a href="#${as}">${as}</a>`).join(' · ')}</nav>
${visitors.map((as) => sectionOf(as, taken)).join('\n')}
</html>
`;
}

function sectionOf(as: string, taken: readonly Taken[]): string {
  const own = taken.filter(({ screen }) => screen.as === as);
  return `<section id="${as}"><h2>${as}</h2>${own.map(articleOf).join('\n')}</section>`;
}

function articleOf({ screen, files, failure }: Taken): string {
  const figures = files.map(
    ({ file, label }) =>
      `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${escape(screen.name)}, ${label}"></a><figcaption>${label}</figcaption></figure>`,
  );
  return `<article><h3>${escape(screen.name)} <code>${escape(screen.path)}</code></h3>
${failure ? `<p class="failed">${escape(failure)}</p>` : ''}<div class="row">${figures.join('')}</div></article>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
