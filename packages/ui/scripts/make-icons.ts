/**
 * Writes `src/icon-shapes.ts` and `src/later-icon-shapes.ts`. Run `node scripts/make-icons.ts` in packages/ui after changing the list below.
 *
 * The kit is loaded whole on the first visit. lucide-react's components with their wrapper would take 5.7 KB of it,
 * compressed; the same drawings as one path each take 2.6 KB.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

type Attributes = Readonly<Record<string, string>>;
type Shape = readonly [element: string, attributes: Attributes];

/** Our names and lucide's names. */
const names: Readonly<Record<string, string>> = {
  activity: 'activity',
  'alert-circle': 'circle-exclamation-point',
  'alert-triangle': 'triangle-exclamation-point',
  'arrow-right': 'arrow-right',
  calendar: 'calendar',
  cart: 'shopping-cart',
  check: 'check',
  'check-circle': 'circle-check',
  'chevron-down': 'chevron-down',
  'chevron-left': 'chevron-left',
  'chevron-right': 'chevron-right',
  clock: 'clock',
  eye: 'eye',
  'eye-off': 'eye-off',
  heart: 'heart',
  info: 'info',
  login: 'log-in',
  logout: 'log-out',
  mail: 'mail',
  menu: 'menu',
  minus: 'minus',
  phone: 'phone',
  pill: 'pill',
  pin: 'map-pin',
  plus: 'plus',
  refresh: 'refresh-cw',
  search: 'search',
  shield: 'shield-check',
  star: 'star',
  stethoscope: 'stethoscope',
  user: 'user',
  x: 'x',
  'x-circle': 'circle-x',
};

/** Likewise, of those that no first page shows at once. */
const laterNames: Readonly<Record<string, string>> = {
  award: 'award',
  building: 'building-complex',
  clipboard: 'clipboard',
  edit: 'pencil',
  graduation: 'graduation-cap',
  package: 'package',
  trash: 'trash',
  truck: 'truck',
  users: 'users',
};

/** Any of SVG's basic shapes as path data (SVG 2, section 10). */
function pathOf([element, attributes]: Shape): string {
  const number = (name: string) => Number(attributes[name] ?? 0);
  const oval = (cx: number, cy: number, rx: number, ry: number) =>
    `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`;
  switch (element) {
    case 'path':
      // A relative start is relative to the end of the previous shape, unless the pen is moved back.
      return (attributes['d'] ?? '').replace(/^m/, 'M0 0m');
    case 'circle':
      return oval(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return oval(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'polyline':
    case 'polygon':
      return `M${attributes['points'] ?? ''}${element === 'polygon' ? 'Z' : ''}`;
    case 'rect': {
      const [x, y, width, height] = [number('x'), number('y'), number('width'), number('height')];
      const r = number('rx') || number('ry');
      const corner = (dx: number, dy: number) => (r ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : '');
      return `M${x + r} ${y}h${width - 2 * r}${corner(r, r)}v${height - 2 * r}${corner(-r, r)}h${2 * r - width}${corner(-r, -r)}v${2 * r - height}${corner(r, -r)}z`;
    }
    default:
      throw new Error(`No rule for <${element}>`);
  }
}

async function write(file: string, constant: string, drawings: Readonly<Record<string, string>>): Promise<void> {
  const lines: string[] = [];
  for (const [name, drawing] of Object.entries(drawings)) {
    const module = (await import(`lucide-react/icons/${drawing}`)) as { __iconData?: { node: readonly Shape[] } };
    if (!module.__iconData) throw new Error(`${drawing} is another icon's old name: use the new one`);
    const data = module.__iconData.node.map(pathOf).join('');
    lines.push(`  ${/^\w+$/.test(name) ? name : `'${name}'`}: '${data}',`);
  }
  writeFileSync(
    path.join(import.meta.dirname, '../src', file),
    `/*! Icons: lucide (https://lucide.dev), ISC License, Copyright (c) 2026 Lucide Icons and Contributors */
// Written by scripts/make-icons.ts: change the lists there. One path each, on 24 by 24, drawn with a round stroke.
export const ${constant} = {
${lines.join('\n')}
} as const;
`,
  );
}

await write('icon-shapes.ts', 'iconShapes', names);
await write('later-icon-shapes.ts', 'laterIconShapes', laterNames);
