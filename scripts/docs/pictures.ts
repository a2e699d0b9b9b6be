// `npm run pictures`: draws docs/pictures/*.dot as SVGs, which are committed and follow the reader's light or dark
// theme.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instance } from '@viz-js/viz';
import { root } from '../stack/settings.ts';

const font = 'Helvetica, Arial, sans-serif';

/** Colours of the clinic's own design, light and dark. */
const style = `
  text { fill: #1d2b2a; font-family: ${font}; }
  .node polygon, .node path, .node ellipse { fill: #ffffff; stroke: #0f5c56; }
  .start polygon, .start path { fill: #d9ebe8; }
  .store polygon, .store path { fill: #fbe9dc; stroke: #a4562a; }
  .edge path { fill: none; stroke: #5d6d6b; }
  .edge polygon { fill: #5d6d6b; stroke: #5d6d6b; }
  .cluster polygon, .cluster path { fill: #f6f1ea; stroke: #d6cdbf; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8efee; }
    .node polygon, .node path, .node ellipse { fill: #142321; stroke: #6fb5ac; }
    .start polygon, .start path { fill: #1d4440; }
    .store polygon, .store path { fill: #3d2a1d; stroke: #e0a77e; }
    .edge path { stroke: #9fb0ae; }
    .edge polygon { fill: #9fb0ae; stroke: #9fb0ae; }
    .cluster polygon, .cluster path { fill: #1c2b29; stroke: #3b4b49; }
  }`;

const defaults = {
  graphAttributes: {
    bgcolor: 'transparent',
    fontname: 'Helvetica',
    fontsize: 13,
    nodesep: 0.3,
    ranksep: 0.45,
    style: 'rounded',
    pad: 0.1,
  },
  nodeAttributes: { shape: 'box', style: 'rounded', fontname: 'Helvetica', fontsize: 13, margin: '0.3,0.08' },
  edgeAttributes: { fontname: 'Helvetica', fontsize: 11, arrowsize: 0.7 },
};

/** A picture as SVG. @param source - in Graphviz' language */
export async function draw(source: string): Promise<string> {
  const viz = await instance();
  const svg = viz.renderString(source, { format: 'svg', engine: 'dot', ...defaults });
  return (
    svg
      .slice(svg.indexOf('<svg'))
      // Pixels instead of points.
      .replace(/<svg width="(\d+)pt" height="(\d+)pt"/, '<svg width="$1" height="$2"')
      .replaceAll(/ font-family="[^"]*"| fill="[^"]*"| stroke="[^"]*"/g, '')
      .replaceAll(/<!--.*?-->\n?/gs, '')
      .replaceAll(/<title>.*?<\/title>\n?/g, '')
      .replace(/(<svg[^>]*>)/, `$1\n<style>${style}\n</style>`)
  );
}

/** Sources of the pictures, relative to the root. */
export const pictures = (): string[] => globSync('docs/pictures/*.dot', { cwd: root }).toSorted();

/** The path of a source's picture. */
export const svgOf = (source: string): string => join(root, source.replace(/\.dot$/, '.svg'));

if (import.meta.main)
  for (const source of pictures()) writeFileSync(svgOf(source), await draw(readFileSync(join(root, source), 'utf8')));
